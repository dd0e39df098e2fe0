import { AppError } from "../../errors.ts";

/** Bytes (behavior 7.7). */
const LARGEST_BODY = 1024 * 1024;

interface Reading {
  /** Where a value that is not plain becomes null, and does not refuse the body. */
  unchecked?: Unchecked;
  /** Whether no body is an empty object. */
  isOptional?: boolean | undefined;
  /** Bytes. Default: 1 MiB. */
  largest?: number | undefined;
}

/** A field that the caller validates by itself. @property depth of the objects that have the field, from 0 */
interface Unchecked {
  field: string;
  depth: number;
}

/** @throws AppError `too_large`, or `invalid` if the body is not a JSON object */
export async function readJsonObject(
  request: Request,
  { unchecked, isOptional = false, largest = LARGEST_BODY }: Reading = {},
): Promise<object> {
  const text = await readText(request, largest);
  if (isOptional && text === "") return {};
  const value = parseJson(text);
  assertPlain(value, { unchecked, depth: 0 });
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new AppError("invalid", "the body must be a JSON object");
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** One field of a body: of a JSON object, which may have no others, or of a form. @throws AppError as `readJsonObject` */
export async function readField(request: Request, field: string): Promise<object> {
  const type = request.headers.get("content-type") ?? "";
  if (!FORM.test(type)) return readJsonObject(request);
  const value = await formField({ text: await readText(request), type, field });
  return value === null ? {} : { [field]: value };
}

/** @returns null without this field */
async function formField({ text, type, field }: { text: string; type: string; field: string }) {
  try {
    return (await new Response(text, { headers: { "content-type": type } }).formData()).get(field);
  } catch {
    throw new AppError("invalid", "the body must be a form: it could not be parsed");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid", "the body must be JSON: it could not be parsed");
  }
}

/**
 * Rejects values that no endpoint accepts and that cause harm later (behavior 7.18): deep nesting, on which recursive
 * validation takes seconds, unpaired surrogates, which the database does not keep, and fields named `toString`.
 */
function assertPlain(value: unknown, at: { unchecked: Unchecked | undefined; depth: number }): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new AppError("invalid", "the body must be Unicode text: it has an unpaired surrogate");
  }
  if (typeof value !== "object" || value === null) return;
  if (at.depth === DEEPEST) throw new AppError("invalid", `the body must be at most ${DEEPEST} levels deep`);
  // Elysia 1.4 converts an invalid value to a string for its message, which throws if `toString` is no function.
  if (Object.hasOwn(value, "toString")) throw new AppError("invalid", "toString is not a known field");
  const below = { ...at, depth: at.depth + 1 };
  // Without the names of its entries, which take long: a document may have millions of them.
  if (Array.isArray(value)) {
    for (const inner of value) assertPlain(inner, below);
    return;
  }
  const except = at.unchecked?.depth === at.depth ? at.unchecked.field : undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name !== except) assertPlain(inner, below);
    else if (!isPlain(inner)) Object.assign(value, { [name]: null });
  }
}

function isPlain(value: unknown): boolean {
  try {
    assertPlain(value, { unchecked: undefined, depth: 0 });
    return true;
  } catch {
    return false;
  }
}

/** Maximum nesting; valid bodies have less. */
const DEEPEST = 16;

/** Stops reading when the body is too large, whatever its Content-Length says. */
async function readText(request: Request, largest = LARGEST_BODY): Promise<string> {
  const tooLarge = new AppError("too_large", `the body must be at most ${largest} bytes`);
  if (Number(request.headers.get("content-length")) > largest) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyOf(request)) {
    length += chunk.byteLength;
    if (length > largest) throw tooLarge;
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks));
}

async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new AppError("invalid", "the body must be complete: the connection was closed before its end");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid", "the body must be UTF-8");
  }
}
