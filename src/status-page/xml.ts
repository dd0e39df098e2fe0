/** XML 1.0 can't contain other characters, not even escaped ones. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A document or a text that XML 1.0 can contain: what it can't is replaced by U+FFFD. */
export function validXml(text: string): string {
  return text.replaceAll(FORBIDDEN, "\uFFFD");
}
