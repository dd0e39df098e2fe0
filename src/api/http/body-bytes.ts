import { AppError, invalid } from "../../errors.ts";

/**
 * Reads the body of a request. Stops when it is too large, whatever its Content-Length says.
 *
 * @param largest bytes @param held counts the bytes
 * @throws AppError `too_large`; `invalid` if the body is incomplete; `unavailable` by `held`
 */
export async function readBytes(
  request: Request,
  { largest, held }: { largest: number; held?: HeldBody | undefined },
): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > largest) throw tooLarge(largest);
  // Not a list of chunks: a body in chunks of one byte would need a hundred times its length.
  let bytes = new Uint8Array(0);
  let length = 0;
  for await (const chunk of chunksOf(request)) {
    if (length + chunk.length > largest) throw tooLarge(largest);
    held?.add(chunk.length);
    if (length + chunk.length > bytes.length)
      bytes = grown(bytes, Math.min(largest, Math.max(length + chunk.length, 2 * bytes.length)));
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/** @param largest bytes */
export function tooLarge(largest: number): AppError {
  return new AppError("too_large", `the body must be at most ${largest} bytes`);
}

/** Drops the body of a request. Bun would keep all of it while a route that does not read it waits for something. */
export function dropBody({ body }: Request): void {
  body?.cancel().catch(() => {});
}

function grown(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw invalid("the body must be complete: the connection was closed before its end");
  }
}

/** Bytes of all bodies with a key that are received at the same time (behavior 7.73). */
const ALL_BODIES = 64 * 1024 * 1024;

/** Seconds: a slow body is closed before. */
const RETRY_AFTER = 20;

/** The memory for bodies that are being received, which organizations share. */
export interface BodyMemory {
  /** Begins a body. Disposing it frees its bytes. */
  hold(organizationId: string): HeldBody;
}

export interface HeldBody extends Disposable {
  /** @throws AppError `unavailable` if the bodies of this organization or of all have too many bytes */
  add(bytes: number): void;
}

/**
 * An organization gets no more bytes than it leaves free: half of them if it is alone. So the slow bodies of one do not
 * keep out another.
 */
export function createBodyMemory(all = ALL_BODIES): BodyMemory {
  const held = new Map<string, number>();
  let total = 0;

  function change(organizationId: string, bytes: number): void {
    const own = (held.get(organizationId) ?? 0) + bytes;
    if (own === 0) held.delete(organizationId);
    else held.set(organizationId, own);
    total += bytes;
  }

  return {
    hold(organizationId) {
      let length = 0;
      return {
        add(bytes) {
          if ((held.get(organizationId) ?? 0) + bytes > all - total) throw tooManyBodies();
          length += bytes;
          change(organizationId, bytes);
        },
        [Symbol.dispose]: () => change(organizationId, -length),
      };
    },
  };
}

function tooManyBodies(): AppError {
  const message = "too many bodies are being received: try again later";
  return new AppError("unavailable", message, undefined, RETRY_AFTER);
}
