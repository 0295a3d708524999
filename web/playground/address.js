// The text in the address, or, if it is too long for a link, in the entry of the history.

import { MOST, fragmentOf, textOf } from './link.js';

const place = () => location.origin + location.pathname + location.search;

/** Returns a link to a text; throws a RangeError if a link cannot hold the text. */
export async function linkOf(text) {
  const link = place() + (await fragmentOf(text));
  if (link.length <= MOST) return link;
  throw new RangeError(`The link would have ${link.length} characters; the limit is ${MOST}.`);
}

/** Returns the arguments of `history.pushState` for a text that stays in the history, without a link. */
export const entryWithoutLink = (text) => [{ text }, '', place()];

/** Returns the arguments of `history.pushState` for a text. */
export async function entryOf(text) {
  try {
    return [null, '', await linkOf(text)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return entryWithoutLink(text);
  }
}

/** Whether the current entry of the history holds a text itself. */
export const isWithoutLink = () => history.state?.text !== undefined;

/** Returns the text of the current entry of the history; `undefined` if it has none. */
export const textOfEntry = async () => history.state?.text ?? textOf(location.hash);
