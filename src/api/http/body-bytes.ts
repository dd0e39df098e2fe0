import { AppError } from "../../errors.ts";
import type { HeldBody } from "./body-memory.ts";

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
  const tooLarge = new AppError("too_large", `the body must be at most ${largest} bytes`);
  if (Number(request.headers.get("content-length")) > largest) throw tooLarge;
  // Not a list of chunks: a body in chunks of one byte would need a hundred times its length.
  let bytes = new Uint8Array(0);
  let length = 0;
  for await (const chunk of chunksOf(request)) {
    if (length + chunk.length > largest) throw tooLarge;
    held?.add(chunk.length);
    if (length + chunk.length > bytes.length)
      bytes = grown(bytes, Math.min(largest, Math.max(length + chunk.length, 2 * bytes.length)));
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
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
    throw new AppError("invalid", "the body must be complete: the connection was closed before its end");
  }
}
