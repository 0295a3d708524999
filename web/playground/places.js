// Where the parts of a scene are in its text.

const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+)/gy;

/**
 * Returns the places of a scene's shapes, by name, and of its bodies, by index, each as the first character and the one
 * after the last. The text must be a scene that the library has read, since nothing is checked here.
 */
export function placesOf(text) {
  const places = { shapes: new Map(), bodies: [] };
  // The containers around the next token, each with the key or index of the value within it that comes next.
  const around = [];
  let key;
  const begin = (from) => {
    const [root, inner] = around;
    if (around.length === 2 && root.key === 'bodies' && !inner.isObject) places.bodies.push([from]);
    if (around.length === 2 && root.key === 'shapes' && inner.isObject) places.shapes.set(inner.key, [from]);
  };
  const end = (to) => {
    const [root, inner] = around;
    if (around.length !== 2) return;
    if (root.key === 'bodies' && !inner.isObject) places.bodies.at(-1)[1] = to;
    if (root.key === 'shapes' && inner.isObject) places.shapes.get(inner.key)[1] = to;
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token, to] = [match[1], match.index + match[0].length];
    const from = to - token.length;
    const inner = around.at(-1);
    if (token === '{' || token === '[') {
      begin(from);
      around.push({ isObject: token === '{', key: undefined });
    } else if (token === '}' || token === ']') {
      around.pop();
      end(to);
    } else if (token === ':') {
      inner.key = key;
    } else if (token === ',') {
      if (inner.isObject) inner.key = undefined;
    } else if (inner?.isObject && inner.key === undefined) {
      key = JSON.parse(token);
    } else {
      begin(from);
      end(to);
    }
  }
  return places;
}

/** Returns the index of the character at a line and a column, which counts bytes of UTF-8; both begin at 1. */
export function indexOf(text, line, column) {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  for (let bytes = column - 1; bytes > 0 && at < text.length && text[at] !== '\n'; ) {
    const code = text.codePointAt(at);
    bytes -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}

/** Returns the place that an error of the library names, if it names one in the text. */
export function placeOf(message, text) {
  const [, line, column] = / at line (\d+) column (\d+)$/.exec(message) ?? [];
  if (line) {
    const at = indexOf(text, Number(line), Number(column));
    return [at, at];
  }
  const [, body] = /^body (\d+)[ :]/.exec(message) ?? [];
  if (body) return placesOf(text).bodies[body];
  if (!message.startsWith('shape `')) return undefined;
  // A name may hold any character; one that the library has escaped or shortened is not found.
  const named = [...placesOf(text).shapes].filter(([name]) => message.startsWith(`shape \`${name}\`: `));
  return named.sort(([a], [b]) => a.length - b.length).at(-1)?.[1];
}
