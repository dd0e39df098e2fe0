import type { AnswerBody } from "../../domain/checks/expectations.ts";
import { withoutSecrets } from "../../domain/evidence/secrets.ts";

import type { Body } from "./content-coding.ts";
import type { HttpConfig } from "./request.ts";
import type { Head, Headers } from "./response-parser.ts";

/** How much of a body may name its character set, in bytes (WHATWG HTML, 13.2.3.2). */
const PRESCANNED = 1024;

/** The body for expectations. */
export function textOf(head: Head, body: Body): AnswerBody {
  const { bytes, isCut } = body;
  let text: string | undefined;
  return {
    raw: () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
    isUtf8: () => (characterSetOf(head, bytes) ?? UTF_8) === UTF_8,
    text() {
      text ??= bodyText(head, body);
      return text;
    },
    utf8() {
      try {
        return new TextDecoder(UTF_8, { fatal: true }).decode(bytes);
      } catch {
        return undefined;
      }
    },
    isCut,
  };
}

const UTF_8 = "utf-8";

/**
 * The text of a body in the character set of its answer, or in UTF-8 if the answer names none that is known (behavior 26.130).
 * Bytes that mean nothing there become U+FFFD; a character that is cut at the end of the body is left out.
 *
 * @param body without its content codings
 */
export function bodyText(head: Head, { bytes, isCut }: Body): string {
  return decoderOf(characterSetOf(head, bytes) ?? UTF_8).decode(bytes, { stream: isCut });
}

/**
 * The text of a body for a person, whose secrets are not hidden yet. Secrets in UTF-8 could not be found in a text that is read in
 * another character set: it is read in UTF-8 then.
 */
export function shownText(head: Head, body: Body, config: HttpConfig): string {
  const plain = new TextDecoder().decode(body.bytes);
  return withoutSecrets(plain, config) === plain ? bodyText(head, body) : plain;
}

/**
 * The character set that an answer names by its byte order mark, its header or its document, in this order (behavior 26.130).
 *
 * @param bytes the start of the body, without its content codings
 * @returns its name in the Encoding Standard; undefined if none is named that it knows
 */
export function characterSetOf({ headers }: Head, bytes: Uint8Array): string | undefined {
  return ofByteOrderMark(bytes) ?? ofHeader(headers) ?? ofDocument(bytes);
}

/** `TextDecoder` knows the names of WHATWG, except for the encoding `replacement`, which has no text. */
function encodingOf(label: string): string | undefined {
  try {
    return decoderOf(label).encoding;
  } catch {
    return undefined;
  }
}

/** @param label any of WHATWG @throws RangeError if it is unknown */
function decoderOf(label: string): TextDecoder {
  return new TextDecoder(label as Bun.Encoding);
}

function ofByteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return UTF_8;
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

const CHARSET_PARAMETER = /;[\t ]*charset=(?:"([^"]*)"|([^;\t ]*))/i;

function ofHeader(headers: Headers): string | undefined {
  const types = headers.filter(([name]) => name.toLowerCase() === "content-type");
  const [, quoted, plain] = CHARSET_PARAMETER.exec(types.at(-1)?.[1] ?? "") ?? [];
  return encodingOf(quoted ?? plain ?? "");
}

/** The prescan of the start of a document (WHATWG HTML, 13.2.3.2). */
function ofDocument(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCANNED)).toString("latin1");
  if (start.startsWith("<\0?\0x\0")) return "utf-16le";
  if (start.startsWith("\0<\0?\0x")) return "utf-16be";
  return ofMeta(start) ?? ofXml(start);
}

const META = /<meta(?=[\t\n\f\r /])/iy;
const TAG = /<\/?[a-z][^\t\n\f\r >]*/iy;

/** @param start one character for each byte */
function ofMeta(start: string): string | undefined {
  for (let at = start.indexOf("<"); at >= 0; at = start.indexOf("<", at + 1)) {
    const meta = endOf(META, start, at);
    const tag = endOf(TAG, start, at);
    if (tag !== undefined) {
      const attributes = attributesOf(start, meta ?? tag);
      if (!attributes) return undefined;
      const encoding = meta === undefined ? undefined : namedBy(attributes.values);
      if (encoding !== undefined) return asciiLike(encoding);
      at = attributes.end - 1;
    } else if (/[!/?]/.test(start[at + 1] ?? "")) {
      const isComment = start.startsWith("<!--", at);
      const end = isComment ? start.indexOf("-->", at + 2) : start.indexOf(">", at);
      if (end < 0) return undefined;
      at = end;
    }
  }
  return undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const ATTRIBUTE =
  /[\t\n\f\r /]*(=?[^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*|(?=>))))?/y;
const OPEN_QUOTE = /[\t\n\f\r ]*=[\t\n\f\r ]*["']/y;

/**
 * The attributes of a tag, names in lower case, the first of each name.
 *
 * @param at the end of the name of the tag
 * @returns undefined if the tag has no end
 */
function attributesOf(start: string, at: number): { values: Map<string, string>; end: number } | undefined {
  const values = new Map<string, string>();
  let end = at;
  while (end < start.length) {
    ATTRIBUTE.lastIndex = end;
    const [, name = "", double, single, plain] = ATTRIBUTE.exec(start) ?? [];
    if (name === "")
      return start.indexOf(">", end) < 0 ? undefined : { values, end: start.indexOf(">", end) };
    end = ATTRIBUTE.lastIndex;
    const value = double ?? single ?? plain;
    if (value === undefined && endOf(OPEN_QUOTE, start, end) !== undefined) return undefined;
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value ?? "");
  }
  return undefined;
}

/** The encoding that a `meta` with these attributes names; `charset` wins. */
function namedBy(attributes: Map<string, string>): string | undefined {
  const charset = attributes.get("charset");
  if (charset !== undefined) return encodingOf(charset);
  const isPragma = attributes.get("http-equiv")?.toLowerCase() === "content-type";
  const [, double, single, plain] = CHARSET_IN_CONTENT.exec(attributes.get("content") ?? "") ?? [];
  return isPragma ? encodingOf(double ?? single ?? plain ?? "") : undefined;
}

const CHARSET_IN_CONTENT =
  /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i;

const XML_DECLARATION = /^<\?xml[^>]*?encoding[^!-\xff]*=[^!-\xff]*(?:"([!#-\xff]*)"|'([!-&(-\xff]*)')/;

/** The encoding of an XML declaration (WHATWG HTML, 13.2.3.3). */
function ofXml(start: string): string | undefined {
  const [, double, single] = XML_DECLARATION.exec(start) ?? [];
  const encoding = encodingOf(double ?? single ?? "");
  return encoding && asciiLike(encoding);
}

/** A name that could be read in ASCII contradicts UTF-16. */
function asciiLike(encoding: string): string {
  if (encoding === "x-user-defined") return "windows-1252";
  return encoding.startsWith("utf-16") ? UTF_8 : encoding;
}
