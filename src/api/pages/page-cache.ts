import { accepts } from "../../domain/network/accept-encoding.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { type PageLanguage, type Reader, readerOf } from "../../domain/pages/reader-locale.ts";
import { DOCUMENT_TYPE, documentHeaders, type PageLook } from "../../status-page/html/unlock.ts";

/** A body, or null if there is none. */
export type FoundBody = PublicBody | null | Promise<PublicBody | null>;

/**
 * A cache of the bodies that are created from a page, each at its first request. It lasts as long as the page, which is another
 * object as soon as anything on it changes.
 *
 * @param create null if the page has no such body; `key` says which one
 * @param most bodies of one page; those that were created first are dropped
 */
export function cacheByPage<Key extends string, Body extends FoundBody>(
  create: (page: PublicPage, key: Key) => Body,
  most = Number.POSITIVE_INFINITY,
) {
  const cache = new WeakMap<PublicPage, Map<Key, Body>>();
  return (page: PublicPage, key: Key): Body => {
    const bodies = cache.get(page) ?? new Map<Key, Body>();
    cache.set(page, bodies);
    const cached = bodies.get(key);
    if (cached !== undefined) return cached;
    const body = create(page, key);
    bodies.set(key, body);
    // A `Map` keeps the order of the additions.
    for (const oldest of bodies.keys()) {
      if (bodies.size <= most) break;
      bodies.delete(oldest);
    }
    return body;
  };
}

type Encoding = "identity" | "gzip" | "br";

/** A body in one encoding, with all headers of its response. */
interface EncodedBody {
  bytes: Uint8Array;
  etag: string;
  headers: Record<string, string>;
}

/** The body of a public response. It is compressed once: keep the object while its text is the same. */
export interface PublicBody {
  status: number;
  encoded(encoding: Encoding): Promise<EncodedBody>;
}

/** The part of the context of a route that `publicAnswer` needs. */
export interface PublicContext {
  request: Request;
  set: { status?: number | string; headers: Record<string, string | number> };
}

/** A body without a policy of its own shows nothing, for example a picture that a browser opens as a document. */
const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Bytes. Of a larger body only the compressed forms are kept: a page has some hundred bodies, each of up to some megabytes. */
const MAX_PLAIN = 64 * 1024;

const suffixes = { identity: "", gzip: "-gz", br: "-br" };

/**
 * Behavior 15.50. An answer with a status other than 200 has no `ETag`, and nobody may keep it.
 *
 * @param type the value of `Content-Type`
 * @param text or the bytes of what is no text
 * @param headers of the response; they replace the ones of all public answers. Their names are in lower case
 */
export function publicBody({
  type,
  text,
  status = 200,
  headers = {},
}: {
  type: string;
  text: string | Uint8Array;
  status?: number;
  headers?: Record<string, string>;
}): PublicBody {
  let plain: Uint8Array | undefined = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const isLarge = plain.length > MAX_PLAIN;
  const hash = new Bun.CryptoHasher("sha256").update(type).update(plain).digest("base64url").slice(0, 22);
  const shared = { ...PUBLIC_HEADERS, ...headers, "content-type": type };

  function withHeaders(encoding: Encoding, bytes: Uint8Array): EncodedBody {
    const etag = `"${hash}${suffixes[encoding]}"`;
    return {
      bytes,
      etag,
      headers: {
        ...shared,
        ...(status === 200 ? { etag } : { "cache-control": "no-store" }),
        ...(encoding !== "identity" && { "content-encoding": encoding }),
      },
    };
  }

  const bodies: { gzip?: EncodedBody | Promise<EncodedBody>; br?: EncodedBody | Promise<EncodedBody> } = {};
  async function compress(encoding: "gzip" | "br"): Promise<EncodedBody> {
    const body = withHeaders(encoding, await compressed(encoding, await plainBytes()));
    bodies[encoding] = body;
    if (isLarge && encoding === "br") plain = undefined;
    return body;
  }
  async function plainBytes(): Promise<Uint8Array> {
    return plain ?? decompressed((await bodyIn("br")).bytes);
  }
  function bodyIn(encoding: "gzip" | "br"): EncodedBody | Promise<EncodedBody> {
    bodies[encoding] ??= compress(encoding);
    return bodies[encoding];
  }
  return {
    status,
    async encoded(encoding) {
      if (isLarge) await bodyIn("br");
      return encoding === "identity" ? withHeaders(encoding, await plainBytes()) : bodyIn(encoding);
    },
  };
}

/** The reader of a page (behavior 21.2). */
export function readerFor({ language }: { language: PageLanguage }, { headers }: Request): Reader {
  return readerOf(language, headers.get("accept-language"));
}

/** `Accept-Language` decides only if a page has no language of its own (behavior 21.3). */
export function varyBy(language: PageLanguage): Record<string, string> {
  return language === "auto" ? { vary: `${PUBLIC_HEADERS.vary}, accept-language` } : {};
}

const PUBLIC_HEADERS = {
  "access-control-allow-origin": "*",
  "cache-control": "public, max-age=30",
  "content-security-policy": POLICY,
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  vary: "accept-encoding, host",
  "x-content-type-options": "nosniff",
};

/**
 * Answers with a body in an encoding that the client accepts, or with a 304 if the client has it (RFC 9110, 13.1.2).
 * Replaces the default headers of responses, and returns the body, because a `Response` would be copied.
 *
 * @param isPrivate whether only readers with the password may see it, and nobody may keep it (behavior 21.38)
 */
export async function publicAnswer(
  { request, set }: PublicContext,
  body: PublicBody,
  { isPrivate = false }: { isPrivate?: boolean } = {},
): Promise<Uint8Array | undefined> {
  const { bytes, etag, headers } = await body.encoded(encodingFor(request.headers.get("accept-encoding")));
  const transport = set.headers["strict-transport-security"];
  set.headers =
    transport === undefined ? { ...headers } : { ...headers, "strict-transport-security": transport };
  if (isPrivate) Object.assign(set.headers, privateHeaders(headers, body.status));
  set.status = body.status;
  if (body.status !== 200 || !matches(request.headers.get("if-none-match"), etag)) return bytes;
  set.status = 304;
  return undefined;
}

function privateHeaders({ vary }: Record<string, string>, status: number): Record<string, string> {
  return {
    ...(status === 200 && { "cache-control": "private, no-store" }),
    vary: `${vary}, accept, authorization, cookie`,
  };
}

function encodingFor(accepted: string | null): Encoding {
  if (accepts(accepted, "br")) return "br";
  return accepts(accepted, "gzip") ? "gzip" : "identity";
}

/**
 * The weak comparison: a proxy that compresses makes an ETag weak. The quotes of an ETag delimit it, so the list need not be
 * split, which would take 0.2 ms for the longest header.
 */
function matches(header: string | null, etag: string): boolean {
  return header !== null && (header.includes(etag) || header.trim() === "*");
}

/**
 * An HTML document as a public body.
 *
 * @param document complete @param language that decided its texts @param page which it shows
 * @param isKept false for what nobody may keep, such as the form behind a link with a token
 */
export function htmlBody(
  document: string,
  {
    language,
    status = 200,
    page,
    isKept = true,
    headers: others,
  }: {
    language: PageLanguage;
    status?: number;
    page?: PageLook;
    isKept?: boolean;
    headers?: Record<string, string>;
  },
): PublicBody {
  const headers = {
    ...documentHeaders(page),
    ...varyBy(language),
    ...(!isKept && { "cache-control": "no-store" }),
    ...others,
  };
  return publicBody({ type: DOCUMENT_TYPE, text: document, status, headers });
}

/* Loads its modules at the first use, because they would delay each start. */

/** With a higher one, a text of 150 kB takes 3 times as long, and is hardly smaller. */
const BROTLI_QUALITY = 6;

/** Compresses on a thread of the runtime. */
async function compressed(encoding: "gzip" | "br", bytes: Uint8Array): Promise<Uint8Array> {
  const { brotliCompress, constants, gzip } = await import("node:zlib");
  const { promisify } = await import("node:util");
  if (encoding === "gzip") return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** @param bytes as brotli */
async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const { brotliDecompress } = await import("node:zlib");
  const { promisify } = await import("node:util");
  return promisify(brotliDecompress)(bytes);
}
