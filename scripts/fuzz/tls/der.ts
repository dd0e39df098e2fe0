/** DER (X.690), one character for each byte. */
export function element(tag: number, ...parts: string[]): string {
  const content = parts.join("");
  return String.fromCharCode(tag) + lengthOf(content.length) + content;
}

function lengthOf(length: number): string {
  if (length < 0x80) return String.fromCharCode(length);
  if (length < 0x100) return String.fromCharCode(0x81, length);
  return String.fromCharCode(0x82, length >> 8, length & 0xff);
}

export const sequence = (...parts: string[]) => element(0x30, ...parts);
export const set = (...parts: string[]) => element(0x31, ...parts);
export const integer = (bytes: string) => element(0x02, bytes);
export const bits = (bytes: string) => element(0x03, "\0", bytes);
export const octets = (bytes: string) => element(0x04, bytes);
export const nothing = element(0x05);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text).toString("latin1"));
export const explicit = (number: number, ...parts: string[]) => element(0xa0 | number, ...parts);

/** @param text for example `1.2.840.113549.1.1.11` */
export function oid(text: string): string {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return element(0x06, ...[40 * first + second, ...rest].map(base128));
}

function base128(value: number): string {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift(0x80 | (left & 0x7f));
  return String.fromCharCode(...digits);
}
