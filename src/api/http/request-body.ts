import { AppError } from "../../errors.ts";

/** Bytes (decisions 2). */
const LARGEST_BODY = 1024 * 1024;

/** @throws AppError `too_large`, or `invalid` where the body is no JSON object */
export async function readJsonObject(request: Request): Promise<object> {
  const text = await readText(request);
  const value = parseJson(text);
  assertPlain(value);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("invalid", "the body must be a JSON object");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid", "the body must be JSON: it could not be parsed");
  }
}

/**
 * Refuses what nothing of ours has and what would not be stored as it was sent: deep nesting, on which a validation
 * that recurses takes seconds and fails, values that can't be written, and halves of characters, which no database keeps.
 */
function assertPlain(value: unknown, depth = 0): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new AppError("invalid", "the body must be Unicode text: it holds half of a surrogate pair");
  }
  if (typeof value !== "object" || value === null) return;
  if (depth === DEEPEST) throw new AppError("invalid", `the body must be at most ${DEEPEST} levels deep`);
  // Elysia 1.4 writes a wrong value into its message, which can't be done then.
  if (Object.hasOwn(value, "toString")) throw new AppError("invalid", "toString is not a known field");
  for (const inner of Array.isArray(value) ? value : Object.values(value)) assertPlain(inner, depth + 1);
}

/** More than any body of the interface needs. */
const DEEPEST = 16;

/** Stops reading where the body grows too large, whatever its length was said to be. */
async function readText(request: Request): Promise<string> {
  const tooLarge = new AppError("too_large", `the body must be at most ${LARGEST_BODY} bytes`);
  if (Number(request.headers.get("content-length")) > LARGEST_BODY) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyOf(request)) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY) throw tooLarge;
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks));
}

async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new AppError("invalid", "the body must be sent to its end: the connection was closed");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid", "the body must be UTF-8");
  }
}
