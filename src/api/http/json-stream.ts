import { accepts } from "../../domain/network/accept-encoding.ts";
import type { Logger } from "../../log.ts";

/*
 * A response about many monitors can have hundreds of megabytes. It is sent in slices, with backpressure: a slice is
 * read only after the client has received the previous one.
 */

/**
 * JSON text that contains an array.
 *
 * @param around the text before the first entry and after the last one
 * @param slices the entries of the array
 */
export async function* jsonText<Item>(
  [before, after]: [before: string, after: () => string],
  slices: AsyncIterable<Item[]>,
  bodyOf: (item: Item) => object,
): AsyncGenerator<string> {
  yield before;
  let comma = "";
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield comma + JSON.stringify(slice.map(bodyOf)).slice(1, -1);
    comma = ",";
  }
  yield after();
}

/** Headers of a response that is written in pieces. */
interface SentHeaders extends Record<string, string> {
  "content-type": string;
}

/** The same as in all other responses, which Elysia writes. */
const JSON_HEADERS: SentHeaders = { "content-type": "application/json;charset=utf-8" };

/** A response of at least this many characters is streamed. */
const STREAMED = 256 * 1024;

/**
 * @param gzip whether the client accepts gzip
 * @returns a `Response`, typed as its body, because the client of the page infers its types from that
 */
export async function sendJson<Body>(
  text: AsyncIterable<string> | Iterable<string>,
  options: { log: Logger; gzip?: boolean },
): Promise<Body> {
  return (await sendText(text, { ...options, headers: JSON_HEADERS })) as Body;
}

/** @param text an error before its first piece becomes an error response @param gzip whether the client accepts gzip */
export async function sendText(
  text: AsyncIterable<string> | Iterable<string>,
  { log, headers, gzip = false }: { log: Logger; headers: SentHeaders; gzip?: boolean },
): Promise<Response> {
  const pieces = piecesOf(text);
  let start = "";
  let isComplete = false;
  // An error here becomes an error response. Later errors can only abort the response.
  while (!isComplete && start.length < STREAMED) {
    const { done, value } = await pieces.next();
    if (done) isComplete = true;
    else start += value;
  }
  if (gzip && start.length >= SHORTEST_COMPRESSED) {
    return new Response(encode(start, pieces, log).pipeThrough(new CompressionStream("gzip")), {
      headers: { ...headers, "content-encoding": "gzip", vary: "accept-encoding" },
    });
  }
  return new Response(isComplete ? start : encode(start, pieces, log), { headers });
}

async function* piecesOf(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  yield* text;
}

/** An error closes the connection, because the status of a success has already been sent. */
function encode(
  start: string,
  rest: AsyncGenerator<string>,
  log: Logger,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let isCancelled = false;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(start)),
    async pull(controller) {
      try {
        const { done, value } = await rest.next();
        if (isCancelled) return;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log.error({ err: error }, "a response was aborted");
        controller.error(error);
      }
    },
    async cancel() {
      isCancelled = true;
      await rest.return(undefined);
    },
  });
}

/** Whether the client of a request accepts gzip. */
export function acceptsGzip({ headers }: Request): boolean {
  return accepts(headers.get("accept-encoding"), "gzip");
}

/** JSON of fewer characters fits into one packet anyway. */
const SHORTEST_COMPRESSED = 1024;

/** Level 1 takes a third of the time of the default, and JSON gets hardly larger. */
const FAST = { level: 1 };

const HEADERS = {
  "content-type": "application/json;charset=utf-8",
  "content-encoding": "gzip",
  vary: "accept-encoding",
};

/** The part of the context of a route that `compressJson` needs. */
interface AnswerContext {
  responseValue: unknown;
  request: Request;
  set: { status?: number | string };
}

/**
 * A hook for the answer of a route: JSON is compressed for clients that accept gzip (behavior 7.75), on another thread. Long lists
 * that are sent in pieces compress themselves.
 *
 * @returns undefined for any other answer
 */
export function compressJson({ responseValue, request, set }: AnswerContext): Promise<Response> | undefined {
  if (!isPlainObject(responseValue) || !acceptsGzip(request)) return undefined;
  const text = JSON.stringify(responseValue);
  if (text.length < SHORTEST_COMPRESSED) return undefined;
  const status = Number(set.status ?? 200);
  return new Promise((resolve, reject) => {
    // Loaded at the first answer, because it would delay each start.
    process
      .getBuiltinModule("node:zlib")
      .gzip(text, FAST, (error, bytes) =>
        error ? reject(error) : resolve(new Response(new Uint8Array(bytes), { status, headers: HEADERS })),
      );
  });
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
