import { type Escape, truncate } from "../../domain/truncate.ts";
import type { AlertMessage } from "../alert-message.ts";

/** Maximum UTF-16 units of a line of a list, so that a long name does not hide the names after it. */
const MAX_LINE = 140;

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
  const names = list.map((line) => truncate(line, MAX_LINE));
  const values = facts.map(({ label, value }) => `${label}: ${value}`);
  // The names of a message about several events are more important than the counts, which its title has too.
  const lines = list.length > 0 ? [reason, ...names] : [reason, ...values];
  return truncate(lines.join("\n"), limit, escapeCharacter);
}

/** Signs before a title, by the group of the event. */
export const SIGNS = { down: "🔴", warning: "🟡", healthy: "🟢" };

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
