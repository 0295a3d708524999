// The colours of pictures: in the dark those of `hitmask render`.

const DARK = {
  ground: ['#131521', '#171a28'],
  grid: 'rgb(96 100 128 / 31%)',
  // Bodies that hit, and bodies that hit nothing, by index.
  warm: [[255, 122, 89], [255, 164, 62], [240, 92, 118], [246, 196, 84]],
  cool: [[92, 138, 214], [74, 168, 190], [124, 128, 206], [98, 160, 154]],
  // Pixels within a sprite: what its colour is mixed with, and how much of it stays.
  inner: { towards: 0, part: 0.63 },
  shared: [255, 255, 226],
  chosen: '#ffffff',
  // The way out of a pair.
  out: '#2fe3bd',
};

const LIGHT = {
  ground: ['#f7f6f2', '#f1efe9'],
  grid: 'rgb(70 74 96 / 22%)',
  warm: [[208, 62, 24], [204, 104, 0], [196, 32, 76], [168, 122, 0]],
  cool: [[44, 94, 184], [18, 122, 146], [86, 88, 178], [46, 124, 116]],
  inner: { towards: 255, part: 0.55 },
  shared: [26, 16, 38],
  chosen: '#000000',
  out: '#00866b',
};

export const inksOf = (isDark) => (isDark ? DARK : LIGHT);

/** Returns the colour of a body, as red, green and blue. */
export function colourOf(inks, isHit, body) {
  const list = isHit ? inks.warm : inks.cool;
  return list[body % list.length];
}

export const css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${100 * alpha}%)`;
