/* Apart from person.ts, of which the forms of the page need nothing else. */

/**
 * Whether a text is one e-mail address. Quotes, comments and lists are refused, so that the text cannot contain a second address.
 */
export function isEmail(text: string): boolean {
  const [local = "", domain = "", ...more] = text.split("@");
  if (more.length > 0 || local.length > 64) return false;
  return (
    /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local) && isDomain(domain)
  );
}

function isDomain(text: string): boolean {
  return /^(?!-)[\p{L}\p{N}-]{1,63}(\.(?!-)[\p{L}\p{N}-]{1,63})*$/u.test(text);
}

/** Characters of the longest address (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL = 254;
