import { isInterim, ResponseParser } from "../../../src/probes/http/response-parser.ts";
import { ProbeError } from "../../../src/probes/probe-error.ts";

/** The parts of an answer. */
export interface Meaning {
  statusCode?: number | undefined;
  headers?: [name: string, value: string][] | undefined;
  /** The body without its framing; one character for each byte. */
  sent?: string | undefined;
}

/** The parts that were read before an error, if there was one. */
export interface Read extends Meaning {
  isComplete: boolean;
  error?: ProbeError;
  /** The number of times that the parser waited for more. */
  waits: number;
}

/** Reads an answer with the parser alone, without a connection, which then ends. @throws errors other than a `ProbeError` */
export function readAnswer(pieces: readonly string[], { hasBody }: { hasBody: boolean }): Read {
  const parser = new ResponseParser({ hasBody, isQuoted: () => false });
  const read: Read = { isComplete: false, waits: 0 };
  const more = () => parser.add(pieces[read.waits++]);
  const run = <T>(step: Generator<unknown, T>): T => {
    for (;;) {
      const { done, value } = step.next();
      if (done) return value;
      more();
    }
  };
  try {
    let first: number | undefined;
    while (first === undefined) {
      more();
      first = parser.firstStatusCode();
    }
    read.statusCode = isInterim(first) ? run(parser.finalStatusCode()) : first;
    read.headers = run(parser.headers());
    read.sent = "";
    for (const part of parser.body({ statusCode: read.statusCode, headers: read.headers })) {
      if (part === undefined) more();
      else read.sent += part;
    }
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    read.error = error;
  }
  read.isComplete = parser.isComplete;
  return read;
}

export function isSame(one: Meaning, other: Meaning): boolean {
  const [headers, others] = [one.headers, other.headers];
  return (
    one.statusCode === other.statusCode &&
    one.sent === other.sent &&
    headers?.length === others?.length &&
    !headers?.some(([name, value], at) => name !== others?.[at]?.[0] || value !== others?.[at]?.[1])
  );
}
