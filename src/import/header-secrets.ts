/** Headers whose values are no secrets, in lower case. */
const PLAIN = [
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "host",
  "origin",
  "pragma",
  "user-agent",
  "x-requested-with",
];

/** Whether the value of a header is written into a document as it is. The values of all others are secrets. */
export function isPlainHeader(name: string): boolean {
  return PLAIN.includes(name.toLowerCase());
}
