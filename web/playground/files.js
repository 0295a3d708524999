// Files that are opened or dropped: a scene, a saved world, and the images of a scene.

import { isSaved, isTrap, textOfSaved, withImages } from './step.js';

/** The largest file, in bytes. */
const MOST = 1 << 24;

/** The end of the error of a file that cannot be read, as a page has none. */
const NO_FILES = 'operation not supported on this platform';
// How files of images that the library reads begin: PNG.
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const isImage = (bytes) => PNG.every((byte, at) => bytes[at] === byte);

async function read(file) {
  if (file.size > MOST) throw new Error(`${file.name} has ${file.size} bytes; the limit here is ${MOST}: use hitmask check`);
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

// Returns the text of a scene or of a saved world.
function textOf({ name, bytes }) {
  if (isSaved(bytes)) {
    try {
      return textOfSaved(bytes);
    } catch (error) {
      if (isTrap(error)) throw error;
      throw new Error(`${name}: ${error.message}`);
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${name}: not a scene (UTF-8 text), a saved world or a PNG`);
  }
}

/**
 * Returns the text of a scene from files: one scene, or else `text`, with images written out. `unused` are the names of
 * images that the scene does not use; throws if the files are no others.
 */
export async function sceneOfFiles(files, text) {
  const contents = await Promise.all([...files].map(read));
  const images = contents.filter(({ bytes }) => isImage(bytes));
  const scenes = contents.filter((file) => !images.includes(file));
  if (scenes.length > 1) throw new Error(`${scenes.map(({ name }) => name).join(', ')}: more than one scene at once`);
  const names = images.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`${twice}: more than one image of this name at once`);
  const scene = scenes.length === 1 ? textOf(scenes[0]) : text;
  if (images.length === 0) return { text: scene, unused: [] };
  const { text: written, unused } = withImages(scene, images);
  if (unused.length === contents.length) throw new Error(unusedWords(unused));
  return { text: unused.length === images.length ? scene : written, unused };
}

/** Tells that the scene does not use images of these names. */
export const unusedWords = (names) => `${names.join(', ')}: no shape in the scene uses this image`;

/** Adds to the library's error of a file that the scene names what to do. */
export function advise(message) {
  if (!message.endsWith(NO_FILES)) return message;
  const drop = /`(bodies_csv|saved)`/.test(message) ? '' : ': drop the image here, and it is written into the scene';
  return `${message}. Files that the scene names cannot be read${drop}.`;
}
