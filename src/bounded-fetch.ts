/** An answer that was read whole. */
export interface BoundedAnswer {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

/** By the name in `Content-Encoding`. */
const DECODERS = {
  gzip: "gunzip",
  "x-gzip": "gunzip",
  deflate: "inflate",
  br: "brotliDecompress",
} as const;

/**
 * Fetches an answer of another server, whole, up to a number of bytes. A longer answer is not read further. `fetch` alone has no
 * limit, and unpacks what it gets without a limit.
 *
 * @param most bytes, before and after they are decoded
 * @throws Error if the answer is longer or has an unknown coding, or the error of `fetch`
 */
export async function fetchBounded(
  url: string,
  { headers, ...init }: BunFetchRequestInit,
  most: number,
): Promise<BoundedAnswer> {
  const asked = new Headers(headers as ConstructorParameters<typeof Headers>[0]);
  asked.set("accept-encoding", "identity");
  const raw: BunFetchRequestInit = { ...init, headers: asked, decompress: false };
  const response = await fetch(url, raw);
  const body = await decoded(await readUpTo(response, most), response.headers, most);
  const own = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) own.delete(name);
  return { status: response.status, headers: own, body };
}

/** The text of an answer, in UTF-8. */
export function textOf({ body }: BoundedAnswer): string {
  return new TextDecoder().decode(body);
}

async function readUpTo({ body }: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The end of the loop closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) throw tooLong(most);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}

async function decoded(
  bytes: Uint8Array<ArrayBuffer>,
  headers: Headers,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const coding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (coding === "identity" || bytes.length === 0) return bytes;
  const decode = DECODERS[coding as keyof typeof DECODERS];
  if (!decode) throw new Error(`the coding of the answer is unknown: ${coding.slice(0, 100)}`);
  try {
    return new Uint8Array(await run(decode, bytes, most));
  } catch (error) {
    throw (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? tooLong(most) : error;
  }
}

/** Decodes on another thread. Loads the module, which would delay each start. */
async function run(
  decode: (typeof DECODERS)[keyof typeof DECODERS],
  bytes: Uint8Array,
  most: number,
): Promise<Uint8Array> {
  const [{ promisify }, zlib] = await Promise.all([import("node:util"), import("node:zlib")]);
  const decoder: Decoder = zlib[decode];
  return promisify(decoder)(bytes, { maxOutputLength: most });
}

type Decoder = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, plain: Uint8Array) => void,
) => void;

function tooLong(most: number): Error {
  return new Error(`the answer is longer than ${most} bytes`);
}
