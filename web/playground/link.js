// Scenes in links: the text, compressed, in the part of the address after `#`, which browsers send to no server.

/** The most characters of a link: what the comment fields of trackers take, and the addresses of all browsers. */
export const MOST = 60_000;
/** The most bytes of a text in a link, against links that would fill the memory. */
const MOST_BYTES = 1 << 24;
const KEY = '#scene=';
// With the checksum of zlib, unlike `deflate-raw`, so that a damaged link is not another scene.
const FORMAT = 'deflate';

// Passes bytes through a stream, and returns what comes out of it; throws if that is more than `most` bytes.
async function through(stream, bytes, most) {
  const parts = [];
  let length = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`the scene in the link is longer than ${most} bytes`);
    }
    parts.push(value);
  }
}

/** Returns the fragment of a link to a text; throws if `textOf` would not return that text. */
export async function fragmentOf(text) {
  const plain = new TextEncoder().encode(text);
  if (plain.length > MOST_BYTES) throw new RangeError(`The scene has ${plain.length} bytes; a link holds at most ${MOST_BYTES}.`);
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('The scene has half a surrogate pair, which is no character that a link can hold.');
  const bytes = await through(new CompressionStream(FORMAT), plain, Infinity);
  let binary = '';
  // In parts, as a function takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return KEY + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns the text in a fragment; `undefined` if the fragment is empty. */
export async function textOf(fragment) {
  if (fragment === '' || fragment === '#') return undefined;
  if (!fragment.startsWith(KEY)) {
    throw new Error(`the link has \`${fragment.slice(0, 20)}\` where a scene begins with \`${KEY}\``);
  }
  const base64 = fragment.slice(KEY.length);
  const wrong = /[^\w-]/.exec(base64);
  if (wrong) throw new Error(`the link is damaged: unexpected character \`${wrong[0]}\``);
  let bytes;
  try {
    bytes = Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    bytes = await through(new DecompressionStream(FORMAT), bytes, MOST_BYTES);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error('the link is damaged: characters are missing or changed');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('the link is damaged: what it holds is not text');
  }
}
