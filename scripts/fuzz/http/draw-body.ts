import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import type { Draw } from "../../simulator/truth/draw.ts";
import { eol, SERVER_TEXT } from "./draw-head.ts";

/** Texts that a body may contain, and that may be expected of it. */
export const WORDS = [
  "Basket",
  "ok",
  "\r\n",
  "0\r\n\r\n",
  "caf\xc3\xa9",
  SERVER_TEXT,
  "<p>",
  "HTTP/1.1 500",
  "\n",
] as const;

type JsonExpectations = NonNullable<Expectations["json"]>;

/** A JSON document with the values that it has. */
export const DOCUMENT = {
  state: "ok",
  queue: { depth: 5, open: true },
  error: null,
  names: ["a", SERVER_TEXT],
};

/** Expectations of a JSON body, and when they hold. */
export const JSON_EXPECTATIONS: readonly [
  JsonExpectations,
  (value: Partial<typeof DOCUMENT> | null) => boolean,
][] = [
  [{ "$.state": "ok" }, (value) => value?.state === "ok"],
  [{ "$.queue.depth": { max: 5 } }, (value) => (value?.queue?.depth ?? 6) <= 5],
  [{ "$.error": null }, (value) => value?.error === null],
  [{ "$['names'][0]": "b" }, (value) => value?.names?.[0] === "b"],
  [{ "$.queue.open": { exists: false } }, (value) => value?.queue?.open === undefined],
];

/** Documents that are JSON: with a byte order mark, and with spaces. */
const DOCUMENTS = [
  JSON.stringify(DOCUMENT),
  `\xef\xbb\xbf${JSON.stringify(DOCUMENT)}`,
  JSON.stringify(DOCUMENT, null, 2),
] as const;

/** Starts that name a character set, or seem to. A text in UTF-8 is found after each of them (behavior 26.131). */
const CHARACTER_SETS = [
  "<meta charset=koi8-r>",
  "<!doctype html><!-- > --><p a='>'><meta http-equiv=content-type content='text/html; charset=\"shift_jis\"'>",
  '<?xml version="1.0" encoding="windows-1251"?>',
  "\xff\xfe",
  "\xfe\xff",
  "<meta charset='gb18030",
  "<meta charset=none content=",
  "<?xml encoding=",
  "<!--<meta ",
] as const;

/** Share of the bodies that are a JSON document. */
const SHARE_OF_JSON = 0.2;

export function drawText(draw: Draw): { text: string; isJson: boolean } {
  if (draw.chance(SHARE_OF_JSON)) return { text: draw.pick(DOCUMENTS), isJson: true };
  const start = draw.chance(0.2) ? draw.pick(CHARACTER_SETS) : "";
  const words = Array.from({ length: draw.whole(0, 5) }, () => draw.pick(WORDS)).join(draw.pick([" ", ""]));
  const text = start + words;
  return { text: draw.chance(0.002) ? `${text} `.repeat(draw.whole(1, 3000)) : text, isJson: false };
}

/** @property codings for `Content-Encoding` */
export interface Coded {
  bytes: string;
  codings: string;
}

/** Codes a body as a server may (behavior 10.22). */
export function drawCoding(draw: Draw, text: string): Coded {
  const names = Array.from({ length: draw.chance(0.15) ? 2 : 1 }, () => draw.pick(CODINGS));
  const bytes = names.reduce<Buffer>((plain, name) => code(name, plain), Buffer.from(text, "latin1"));
  const junk = names.length === 1 && names[0] === "gzip" && draw.chance(0.1) ? "\0junk" : "";
  const codings = names
    .map((name) => (name === "raw deflate" ? "deflate" : name))
    .join(draw.pick([", ", ","]));
  return { bytes: bytes.toString("latin1") + junk, codings };
}

const CODINGS = ["gzip", "gzip", "x-gzip", "deflate", "raw deflate", "br"] as const;

function code(name: string, plain: Buffer): Buffer {
  switch (name) {
    case "deflate":
      return deflateSync(plain, { level: 1 });
    case "raw deflate":
      return deflateRawSync(plain, { level: 1 });
    case "br":
      return brotliCompressSync(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 10 },
      });
    default:
      return gzipSync(plain, { level: 1 });
  }
}

/** Writes a body in chunks (RFC 9112, 7.1). */
export function drawChunks(draw: Draw, bytes: string, isStrict: boolean): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const size = Math.min(bytes.length - at, draw.pick([1, 3, 16, 17, bytes.length]));
    text += `${drawSize(draw, size, isStrict)}${bytes.slice(at, at + size)}${eol(draw, isStrict)}`;
    at += size;
  }
  const trailers = draw.chance(0.15) ? `X-Trailer: ${SERVER_TEXT}${eol(draw, isStrict)}` : "";
  return `${text}${drawSize(draw, 0, isStrict)}${trailers}${eol(draw, isStrict)}`;
}

function drawSize(draw: Draw, size: number, isStrict: boolean): string {
  const hex = size.toString(16);
  const digits = draw.chance(0.1) ? `00${hex.toUpperCase()}` : hex;
  const extension = draw.chance(0.1) ? draw.pick([";a=b", ";x", ';q="a"']) : "";
  const space = isStrict || draw.chance(0.9) ? "" : " \t";
  return `${digits}${space}${extension}${eol(draw, isStrict)}`;
}
