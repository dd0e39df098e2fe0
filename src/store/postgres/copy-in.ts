import type { CopiedRow, Value } from "../copy.ts";
import type { Statement } from "./statements.ts";
import { escapeText } from "./values.ts";

/**
 * Adds rows with `COPY … FROM STDIN`. The server writes a page of rows at once to its log, not each row. The rows follow the statement
 * at once: a server that refuses it ignores them.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export function copyOf(text: string, rows: readonly CopiedRow[]): Statement {
  return { text, copied: encode(rows) };
}

/** The text format of `COPY`. */
function encode(rows: readonly CopiedRow[]): Buffer {
  let text = "";
  for (const row of rows) {
    for (const [at, value] of row.entries()) text += (at === 0 ? "" : "\t") + encodeValue(value);
    text += "\n";
  }
  return Buffer.from(text);
}

function encodeValue(value: Value): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Math.round(value));
  if (typeof value === "string") return encodeText(value);
  return `\\\\x${value.toHex()}`;
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function encodeText(text: string): string {
  return escapeText(text).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
