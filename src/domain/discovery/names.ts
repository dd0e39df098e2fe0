/* The names of what sources find, as a part of refs. */

/** Behavior 28.30. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** Whether a text can follow `docker/` in a ref: it has no dot, where it would end. */
export function isLabelName(text: string): boolean {
  return NAME.test(text);
}

const MAX_LENGTH = 100;

/**
 * A target or a host as a part of a ref (behavior 28.50): in lower case, without its scheme and without a user, with each run of
 * other characters than letters, digits, `.`, `_` and `-` as one `-`. A longer one than 100 characters is cut, and ends with a hash.
 *
 * @returns an empty text if nothing is left
 */
export function nameOfTarget(target: string): string {
  const name = withoutUser(target)
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "");
  if (name.length <= MAX_LENGTH) return withoutEnd(name);
  return `${withoutEnd(name.slice(0, MAX_LENGTH - 9))}-${hash(name)}`;
}

/** @param name a short one: the time grows with the square of its length */
function withoutEnd(name: string): string {
  return name.replace(/-+$/, "");
}

/** A target without the user and the password of its URL, which no message repeats. */
export function withoutUser(target: string): string {
  return target.replace(/^([a-zA-Z][a-zA-Z0-9+.-]*:\/\/)?[^/?#]*@/, "$1");
}

/** FNV-1a of 32 bits, as 8 hexadecimal digits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}
