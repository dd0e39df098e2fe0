import { createRequire } from "node:module";
import { isInterim } from "../../../src/probes/http/response-parser.ts";

interface Parser {
  initialize(type: number, resource: object): void;
  execute(bytes: Buffer): number | Error;
  finish(): undefined | Error;
  close(): void;
  [callback: number]: (...args: never[]) => number | undefined;
}

interface ParserClass {
  new (): Parser;
  RESPONSE: number;
  kOnHeaders: number;
  kOnHeadersComplete: number;
  kOnBody: number;
  kOnMessageComplete: number;
}

// No public module has it.
const { HTTPParser } = createRequire(import.meta.url)("_http_common") as { HTTPParser: ParserClass };

interface Found {
  statusCode: number;
  headers: [name: string, value: string][];
  sent: string;
}

const answerOf = (statusCode: number, headers: Found["headers"]): Found => ({
  statusCode,
  headers,
  sent: "",
});

/**
 * Reads the final answer of a connection that is then closed with the parser of Node.js (llhttp).
 *
 * @returns undefined if the parser of Node.js refuses it, which is stricter than a check
 */
export function referenceOf(bytes: string, { hasBody }: { hasBody: boolean }): Found | undefined {
  const parser = new HTTPParser();
  let found: Found | undefined;
  let current = answerOf(0, []);
  parser.initialize(HTTPParser.RESPONSE, {});
  let isInHead = true;
  // Trailers arrive here too.
  parser[HTTPParser.kOnHeaders] = (more: string[]) => {
    if (isInHead) current.headers.push(...pairs(more));
  };
  parser[HTTPParser.kOnHeadersComplete] = (
    ...[, , headers, , , statusCode]: [unknown, unknown, string[] | undefined, unknown, unknown, number]
  ) => {
    current = answerOf(statusCode, [...current.headers, ...pairs(headers ?? [])]);
    isInHead = false;
    return hasBody ? 0 : 1;
  };
  parser[HTTPParser.kOnBody] = (part: Buffer) => {
    current.sent += part.toString("latin1");
  };
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (!isInterim(current.statusCode)) found ??= current;
    current = answerOf(0, []);
    isInHead = true;
  };
  const read = parser.execute(Buffer.from(bytes, "latin1"));
  if (!(read instanceof Error)) parser.finish();
  parser.close();
  return found;
}

function pairs(list: string[]): [string, string][] {
  return Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at] ?? "", list[2 * at + 1] ?? ""]);
}
