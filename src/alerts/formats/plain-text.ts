import { type Escape, truncate } from "../../domain/truncate.ts";
import type { AlertMessage } from "../message.ts";

/** The most UTF-16 units of a line of a list, so that a long name does not hide the names after it. */
const LONGEST_LINE = 140;

/**
 * A message without its title and links, as lines of text.
 *
 * @param limit UTF-16 units of the escaped text
 */
export function linesOf(
  { reason, facts, list = [] }: AlertMessage,
  limit: number,
  escapeCharacter?: Escape,
): string {
  const names = list.map((line) => truncate(line, LONGEST_LINE));
  const values = facts.map(({ label, value }) => `${label}: ${value}`);
  // The names of a message about several events are more important than the counts, which its title has too.
  const lines = list.length > 0 ? [reason, ...names] : [reason, ...values];
  return truncate(lines.join("\n"), limit, escapeCharacter);
}

/** The page to open: that of the outage, where people acknowledge it, or that of the monitor. */
export function mainLink({ link, outageLink }: AlertMessage): { url: string; label: string } {
  return outageLink === undefined
    ? { url: link, label: "Open in stillup" }
    : { url: outageLink, label: "Open the outage" };
}

/** A text in at most `limit` bytes of UTF-8. */
export function truncateToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let bytes = 3;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}
