import pg from "pg";
import type { CopiedRow, Value } from "../copy.ts";
import { escapeText } from "./values.ts";

/**
 * Adds rows with `COPY … FROM STDIN`, as `pg-copy-streams` does. The server writes a page of rows at once to its log, not each row.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export function copyIn(client: pg.ClientBase, text: string, rows: readonly CopiedRow[]): Promise<void> {
  const data = encode(rows);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = new pg.Query(text, (error) => (error ? reject(error) : resolve()));
  client.query(
    Object.assign(query, {
      handleCopyInResponse(connection: CopyProtocol) {
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
    }),
  );
  return promise;
}

/** Missing in the types of `pg`. */
interface CopyProtocol {
  sendCopyFromChunk(data: Buffer): void;
  endCopyFrom(): void;
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
