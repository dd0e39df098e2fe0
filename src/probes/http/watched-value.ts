import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import { type Absence, DIGEST_LENGTH, partOf, type SeenContent } from "../../domain/checks/content-memory.ts";
import { valueAt } from "../../domain/checks/expectations.ts";
import { parseJson } from "../../domain/checks/json-document.ts";
import { textOf } from "./character-set.ts";
import type { Body } from "./content-coding.ts";
import type { Head } from "./response-parser.ts";

/** The part of an answer that a config watches (behavior 26.111, 26.112), as digest and length. @param body is not read for a header */
export async function watchedValue(of: string, head: Head, body: Body | undefined): Promise<SeenContent> {
  const { part, name } = partOf(of);
  if (part === "header") return headerValue(head.headers, name);
  if (!body) throw new Error(`${of} is watched, but the body was not read`);
  switch (part) {
    case "body":
      return digested(body.bytes);
    case "text":
      return digested(await shownText(head, body));
    case "json":
      return jsonValue(head, body, name);
  }
}

/** Several headers of one name are one list (RFC 9110, 5.3). */
function headerValue(headers: Head["headers"], name: string): SeenContent {
  const values = headers.filter(([other]) => other.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? absent("missing") : digested(values.map(([, one]) => one).join(", "));
}

/** Types of documents that are shown as they are. */
const PLAIN = /^\s*(?:text\/(?!html)|application\/(?!xhtml\+xml))/i;

async function shownText(head: Head, body: Body): Promise<string> {
  const { visibleText, withSingleSpaces } = await import("./visible-text.ts");
  const { isUtf8, utf8, text, raw } = textOf(head, body);
  // Bytes of an unknown character set differ as characters too.
  const decoded = isUtf8() ? (utf8() ?? raw()) : text();
  const [, type = ""] = head.headers.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  return PLAIN.test(type) ? withSingleSpaces(decoded) : visibleText(decoded);
}

/** Equal for equal values, in whatever order their fields are. */
function jsonValue(head: Head, body: Body, path: string): SeenContent {
  if (body.isCut) return absent("too_large");
  const document = parseJson(textOf(head, body).utf8(), { texts: "large" });
  if ("failure" in document) return absent(document.failure.includes("too many") ? "too_many" : "not_json");
  const value = valueAt(document.value, path);
  if (value === undefined) return absent("missing");
  return isDeep(value, MAX_DEPTH) ? absent("too_many") : digested(canonicalJson(value));
}

/** To write a value takes time that grows with the square of its depth. */
const MAX_DEPTH = 1000;

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeep(one, levels - 1));
}

function absent(why: Absence): SeenContent {
  return { digest: why, length: null };
}

function digested(value: string | Uint8Array): SeenContent {
  const digest = createHash("sha256").update(value).digest("base64url").slice(0, DIGEST_LENGTH);
  return { digest, length: value.length };
}
