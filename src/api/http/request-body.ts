import { type Static, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type Outline, outlineOf } from "../../domain/json-outline.ts";
import { invalidValue } from "../../domain/schemas/validation.ts";
import { AppError, invalid } from "../../errors.ts";

/** The largest body of a route, in bytes (behavior 7.7). */
export const MAX_BODY = {
  /** Without a key: one key or one address. */
  public: 4 * 1024,
  /**
   * A passkey or a password: the ID of a credential, which its browser sends four times, may have 1,023 bytes, and each of the 1,024
   * characters of a password may be an escape of 12 bytes.
   */
  credential: 16 * 1024,
  /** An address, and the IDs of all components of a page. */
  subscription: 32 * 1024,
  /** With a key. */
  keyed: 1024 * 1024,
} as const;

/** The most fields, arrays and objects of a body (behavior 7.74); valid bodies have less. */
const MAX_PARTS = 10_000;

interface Reading {
  /** Bytes. */
  largest: number;
  /** The same for a body that was read, if it is less. */
  largestOf?: ((body: object) => number) | undefined;
  /** Fields, arrays and objects. Default: 10,000. */
  mostParts?: number | undefined;
  /** Where a value that is not plain becomes null, and does not refuse the body. */
  unchecked?: Unchecked | undefined;
  /** Whether no body is an empty object. */
  isOptional?: boolean | undefined;
  /** Counts the bytes of the body. */
  held?: HeldBody | undefined;
}

/** A field that the caller validates by itself. @property depth of the objects that have the field, from 0 */
interface Unchecked {
  field: string;
  depth: number;
}

/** @throws AppError `too_large`, `unavailable`, or `invalid` if the body is not a JSON object */
export async function readJsonObject(
  request: Request,
  { unchecked, isOptional = false, mostParts = MAX_PARTS, largestOf, ...limits }: Reading,
): Promise<object> {
  const bytes = await readBytes(request, limits);
  if (isOptional && bytes.length === 0) return {};
  const value = parsed();
  const largest = largestOf?.(value) ?? limits.largest;
  if (bytes.length > largest) throw tooLarge(largest);
  return value;

  /** A body without an object is judged as an empty object. */
  function parsed(): object {
    try {
      return parseObject(bytes, { unchecked, mostParts });
    } catch (error) {
      const least = largestOf?.({}) ?? limits.largest;
      throw bytes.length > least ? tooLarge(least) : error;
    }
  }
}

function parseObject(
  bytes: Uint8Array,
  { unchecked, mostParts }: { unchecked: Unchecked | undefined; mostParts: number },
): object {
  if (unchecked) assertFewParts(outlineOf(bytes, { cut: 2 * DEEPEST }), mostParts);
  else assertShallow(outlineOf(bytes), mostParts);
  const value = parseJson(decode(bytes));
  assertPlain(value, { unchecked, depth: 0 });
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw invalid("the body must be a JSON object");
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * One field of a body without a key: of a JSON object, which may have no others, or of a form.
 *
 * @throws AppError as `readJsonObject`
 */
export async function readField(request: Request, field: string): Promise<object> {
  const given = await readForm(request, MAX_BODY.public);
  if (!(given instanceof FormData)) return given;
  const value = given.get(field);
  return value === null ? {} : { [field]: value };
}

/**
 * A body without a key: a JSON object, or a form.
 *
 * @param largest bytes @throws AppError as `readJsonObject`
 */
export async function readForm(request: Request, largest: number): Promise<object | FormData> {
  const type = request.headers.get("content-type") ?? "";
  const limits = { largest };
  if (!FORM.test(type)) return readJsonObject(request, limits);
  return formOf(decode(await readBytes(request, limits)), type);
}

async function formOf(text: string, type: string): Promise<FormData> {
  try {
    const form = await new Response(text, { headers: { "content-type": type } }).formData();
    // Another package declares a second type of the same class.
    return form as unknown as FormData;
  } catch {
    throw invalid("the body must be a form: it could not be parsed");
  }
}

function assertShallow(outline: Outline, mostParts: number): void {
  if (!outline.isBalanced) throw noJson();
  if (outline.depth > DEEPEST) throw tooDeep();
  assertFewParts(outline, mostParts);
}

function assertFewParts({ parts }: Outline, mostParts: number): void {
  if (parts <= mostParts) return;
  throw invalid(`the body must have at most ${mostParts} fields, arrays and objects`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noJson();
  }
}

/** The message about a body that is no JSON. */
export const NO_JSON = "the body must be JSON: it could not be parsed";

function noJson(): AppError {
  return invalid(NO_JSON);
}

function tooDeep(): AppError {
  return invalid(`the body must be at most ${DEEPEST} levels deep`);
}

/**
 * Rejects values that no endpoint accepts and that cause harm later (behavior 7.18): deep nesting, on which recursive
 * validation takes seconds, unpaired surrogates, which the database does not keep, and fields named `toString`.
 */
function assertPlain(value: unknown, at: { unchecked: Unchecked | undefined; depth: number }): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw invalid("the body must be Unicode text: it has an unpaired surrogate");
  }
  if (typeof value !== "object" || value === null) return;
  if (at.depth === DEEPEST) throw tooDeep();
  if (Object.hasOwn(value, "toString")) throw invalid("toString is not a known field");
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("the body must be UTF-8");
  }
}

/**
 * The schema of a body that is validated by `createValidator`: Elysia only documents it. The error of its own validation
 * contains the whole body as text, also where nobody reads it.
 */
export function documented<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>(Type.Unknown({ ...schema }));
}

/**
 * A validator that stops at the first error, and is compiled at its first use.
 *
 * @returns a function that throws an AppError `invalid`
 */
export function createValidator(schema: TSchema): (value: unknown) => void {
  let compiled: TypeCheck<TSchema> | undefined;
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (compiled.Check(value)) return;
    const error = compiled.Errors(value).First();
    throw error ? invalidValue(error) : invalid("the body is not valid");
  };
}

/**
 * Reads the body of a request. Stops when it is too large, whatever its Content-Length says.
 *
 * @param largest bytes @param held counts the bytes
 * @throws AppError `too_large`; `invalid` if the body is incomplete; `unavailable` by `held`
 */
async function readBytes(
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

interface HeldBody extends Disposable {
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
