import type { Draw } from "../../simulator/truth/draw.ts";

/**
 * Changes a message at one to three places: replaces, deletes, repeats, moves and inserts bytes, or cuts the message off.
 *
 * @param text one character for each byte
 * @param tokens what the protocol's own messages are made of
 */
export function mutated(text: string, draw: Draw, tokens: readonly [string, ...string[]]): string {
  let changed = text;
  for (let times = draw.pick([1, 1, 1, 2, 3]); times > 0; times--)
    changed = changedOnce(changed, draw, tokens);
  return changed;
}

function changedOnce(text: string, draw: Draw, tokens: readonly [string, ...string[]]): string {
  const at = draw.whole(0, text.length);
  const to = Math.min(text.length, at + draw.pick([1, 1, 2, 4, 16, 300]));
  const [before, part, after] = [text.slice(0, at), text.slice(at, to), text.slice(to)];
  switch (draw.whole(0, 8)) {
    case 0:
      return before + after;
    case 1:
      return before + byte(draw.whole(0, 255)) + text.slice(at + 1);
    case 2:
      return before + byte((text.charCodeAt(at) || 0) ^ (1 << draw.whole(0, 7))) + text.slice(at + 1);
    case 3:
      return before + draw.pick(tokens) + text.slice(at);
    case 4:
      return before + draw.pick(tokens) + after;
    case 5:
      return before + part + part + after;
    case 6: {
      const place = draw.whole(0, after.length);
      return before + after.slice(0, place) + part + after.slice(place);
    }
    case 7:
      return before + (draw.chance(0.02) ? part.repeat(draw.whole(2, 2000)) : part + part + part) + after;
    default:
      return before;
  }
}

function byte(code: number): string {
  return String.fromCharCode(code & 0xff);
}

/** Shorter texts: without large parts first, and then without single bytes. */
export function* shorter(text: string): Iterable<string> {
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const step = Math.max(size, Math.floor(text.length / 64));
    for (let at = 0; at < text.length; at += step) yield text.slice(0, at) + text.slice(at + size);
  }
}
