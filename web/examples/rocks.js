// The scene of both examples: pictures of a ship and of a ring of rock, and where the rocks drift.

export const [WIDTH, HEIGHT] = [800, 600];
export const [PLAIN, HIT] = [0xffffff, 0xff8a3c];

function picture(side, draw) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  context.translate(side / 2, side / 2);
  draw(context, side / 2);
  return canvas;
}

export const ship = picture(96, (context, reach) => {
  context.fillStyle = '#8fd0ff';
  context.beginPath();
  for (const [x, y] of [[1, 0], [-0.9, 0.8], [-0.4, 0], [-0.9, -0.8]]) context.lineTo(reach * x, reach * y);
  context.fill();
});

/** A ring that is open on one side: a sprite whose bounding box says little. */
export const rock = picture(64, (context, reach) => {
  context.strokeStyle = '#b0a8a0';
  context.lineWidth = 10;
  context.arc(0, 0, reach - 8, 0.5, 5.8);
  context.stroke();
});

export const rocks = Array.from({ length: 60 }, (_, k) => ({
  x: (k * 331) % WIDTH, y: (k * 197) % HEIGHT, dx: Math.sin(k), dy: Math.cos(k), spin: 0.02 * Math.sin(3 * k), scale: 0.5 + (k % 5) / 4,
}));

/** Moves a rock, which comes back on the other side. */
export function drift(rock) {
  rock.x = (rock.x + rock.dx + WIDTH) % WIDTH;
  rock.y = (rock.y + rock.dy + HEIGHT) % HEIGHT;
}
