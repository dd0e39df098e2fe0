import type { Logger } from "../../log.ts";

/*
 * An answer about many monitors may be hundreds of megabytes. It is written slice by slice, each as soon as the client
 * has taken the one before, so that only a few are in memory.
 */

/**
 * JSON with an array in it.
 *
 * @param around what comes before its first entry, and what comes behind the last
 * @param slices of the array
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

/** Characters from which on an answer is worth compressing, and from which on it is sent in pieces. */
const WORTHWHILE = 4096;
const LONG = 256 * 1024;

/**
 * @param gzip whether the client takes that
 * @returns a `Response`; its type is that of the body, from which the page's client has its own
 */
export async function sendJson<Body>(
  text: AsyncIterable<string> | Iterable<string>,
  options: { log: Logger; gzip?: boolean },
): Promise<Body> {
  return (await respond(text, options)) as Body;
}

async function respond(
  text: AsyncIterable<string> | Iterable<string>,
  { log, gzip = false }: { log: Logger; gzip?: boolean },
): Promise<Response> {
  const pieces = each(text);
  let start = "";
  let isWhole = false;
  // What fails here is answered as every failure is.
  while (!isWhole && start.length < LONG) {
    const { done, value } = await pieces.next();
    if (done) isWhole = true;
    else start += value;
  }
  if (gzip && start.length >= WORTHWHILE) {
    return new Response(encode(start, pieces, log).pipeThrough(new CompressionStream("gzip")), {
      headers: { "content-type": "application/json", "content-encoding": "gzip", vary: "accept-encoding" },
    });
  }
  return new Response(isWhole ? start : encode(start, pieces, log), {
    // As Elysia has it for every other answer.
    headers: { "content-type": "application/json;charset=utf-8" },
  });
}

async function* each(text: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  yield* text;
}

/** A failure breaks the connection off: the client has the status of a success already. */
function encode(
  start: string,
  rest: AsyncGenerator<string>,
  log: Logger,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let isGone = false;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(start)),
    async pull(controller) {
      try {
        const { done, value } = await rest.next();
        if (isGone) return;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log.error({ err: error }, "an answer broke off");
        controller.error(error);
      }
    },
    async cancel() {
      isGone = true;
      await rest.return(undefined);
    },
  });
}
