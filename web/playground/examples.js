// Scenes to begin with, by name.

const first = `{
  "shapes": {
    "ship": { "sprite": { "rows": [
      "....#....",
      "....#....",
      "...###...",
      "...###...",
      "...#.#...",
      "..##.##..",
      "..##.##..",
      "..#####..",
      "..#####..",
      ".#######.",
      "##.###.##",
      "#..###..#",
      "#...#...#"
    ] }, "anchor": [4.5, 6.5] },
    "invader": { "sprite": { "rows": [
      "..#.....#..",
      "...#...#...",
      "..#######..",
      ".##.###.##.",
      "###########",
      "#.#######.#",
      "#.#.....#.#",
      "...##.##..."
    ] }, "anchor": [5.5, 4] },
    "rock": { "polygon": [[-13, -4], [-3, -12], [10, -9], [6, 0], [13, 7], [2, 12], [-9, 9]] },
    "ring": { "polygon": [[-12, 0], [-8, -9], [0, -12], [8, -9], [12, 0], [8, 9], [0, 12], [-8, 9]],
              "holes": [[[-8, 0], [-5, -6], [0, -8], [5, -6], [8, 0], [5, 6], [0, 8], [-5, 6]]] },
    "shot": { "circle": 1.25 },
    "beam": { "capsule": { "from": [0, 0], "to": [30, 0], "radius": 1 } }
  },
  "bodies": [
    { "shape": "ship", "at": [34, 52], "angle": 70, "scale": 1.5, "name": "player" },
    { "shape": "rock", "at": [53, 56], "name": "rock" },
    { "shape": "invader", "at": [84, 20], "name": "invader, shot" },
    { "shape": "shot", "at": [45, 31], "move": [60, -15], "name": "shot, 24 times as far as it is large" },
    { "shape": "invader", "at": [26, 16], "angle": 15, "scale": [-1, 1], "name": "invader" },
    { "shape": "ring", "at": [96, 54], "name": "ring" },
    { "shape": "shot", "at": [96, 54], "scale": 3, "name": "ball within the ring" },
    { "shape": "beam", "at": [98, 36], "angle": 60, "name": "beam" }
  ]
}
`;

const sweep = `{
  "shapes": {
    "bullet": { "box": [3, 1], "anchor": [1.5, 0.5] },
    "wall": { "box": [1, 14] },
    "gate": { "sprite": { "rows": [
      "##", "##", "##", "##", "##", "##", "##", "##", "..", "..", "..", "##", "##", "##", "##", "##"
    ] } }
  },
  "bodies": [
    { "shape": "bullet", "at": [4, 8], "move": [70, 0], "name": "bullet" },
    { "shape": "wall", "at": [40, 1], "name": "wall, thinner than the step is long" },
    { "shape": "bullet", "at": [4, 29.5], "move": [70, 0], "name": "bullet through the gap" },
    { "shape": "bullet", "at": [4, 23.5], "move": [70, 3], "name": "bullet askew" },
    { "shape": "gate", "at": [40, 20], "name": "gate" }
  ]
}
`;

const touch = `{
  "touch": "included",
  "shapes": {
    "crate": { "box": [8, 8] },
    "ball": { "circle": 4 },
    "stairs": { "sprite": { "rows": [
      "####........",
      "####........",
      "########....",
      "########....",
      "############",
      "############"
    ] } }
  },
  "bodies": [
    { "shape": "stairs", "at": [0, 18], "name": "stairs" },
    { "shape": "crate", "at": [4, 12], "name": "crate, in the lower step" },
    { "shape": "crate", "at": [12, 4], "name": "crate on its corner" },
    { "shape": "ball", "at": [24, 8], "name": "ball beside the crate" },
    { "shape": "crate", "at": [28.0078125, 4], "name": "crate, 1/128 away from the ball" }
  ]
}
`;

export const EXAMPLES = { 'Sprites and shapes': first, 'Fast bullets': sweep, 'Touching': touch };
