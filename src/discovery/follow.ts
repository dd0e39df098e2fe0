import { parsedJson } from "./bounded-answer.ts";

/* Streams of events. What they say only leads to a read, so that a lost event is a read that is later. */

/** How long a stream is not opened again after it ended, and after it failed again and again; milliseconds. */
export interface Pauses {
  shortest: number;
  longest: number;
}

export const PAUSES: Pauses = { shortest: 1000, longest: 60_000 };

/**
 * Opens a stream again and again until it is stopped.
 *
 * @param open returns when the stream has ended, and throws if it could not be opened or broke: then the next pause is twice as long
 */
export function follow(
  open: (signal: AbortSignal) => Promise<void>,
  { shortest, longest }: Pauses,
): { stop(): void } {
  const ending = new AbortController();
  const { signal } = ending;
  async function run(): Promise<void> {
    for (let pause = shortest; !signal.aborted; ) {
      try {
        await open(signal);
        pause = shortest;
      } catch {
        pause = Math.min(2 * pause, longest);
      }
      await sleep(pause, signal);
    }
  }
  run();
  return { stop: () => ending.abort() };
}

/** Ends early if the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return untilAborted(promise, signal).finally(() => clearTimeout(timer));
}

/** Waits for a promise, or for the signal, whichever is first. No listener stays on the signal, which may live for long. */
export async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort);
  await Promise.race([promise, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
}

/** The most characters of one event. */
const MAX_EVENT = 4 * 1024 * 1024;

/**
 * The objects of a stream of JSON objects, with or without line breaks between them. An object that is too long, and other text, end it.
 *
 * @throws Error then, or if the stream breaks
 */
export async function* objectsIn(body: ReadableStream<Uint8Array> | null): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const split = createSplitter();
  for await (const chunk of body ?? [])
    for (const text of split(decoder.decode(chunk, { stream: true }))) yield objectIn(text);
}

function objectIn(text: string): unknown {
  const value = parsedJson(new TextEncoder().encode(text), "an event");
  if (value === undefined) throw new Error("the stream has an object that is no JSON");
  return value;
}

/** @returns takes the next part of a text, and returns the objects that are complete */
function createSplitter(): (part: string) => string[] {
  let begun = "";
  let [depth, isText, isEscaped] = [0, false, false];
  function step(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (isText && character === "\\") isEscaped = true;
    else if (character === '"' && depth > 0) isText = !isText;
    else if (!isText && character === "{") depth += 1;
    else if (!isText && character === "}") depth -= 1;
    else if (depth === 0 && character.trim() !== "") throw new Error("the stream has more than objects");
  }
  return (part) => {
    const objects: string[] = [];
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      const before = depth;
      step(part.charAt(at));
      if (before > 0 && depth === 0) {
        objects.push(begun + part.slice(from, at + 1));
        begun = "";
      }
      if (depth === 0) from = at + 1;
    }
    begun += part.slice(from);
    if (depth < 0 || begun.length > MAX_EVENT)
      throw new Error("the stream has no object, or one that is too long");
    return objects;
  };
}
