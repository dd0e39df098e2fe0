import { Type } from "@sinclair/typebox";
import { fault } from "../../faults/fault.ts";
import type { StatusGroup } from "../../monitors/status.ts";
import { MASK } from "../../schemas/mask.ts";
import { described, oneOf } from "../../schemas/schema.ts";
import { type Escape, truncate } from "../../truncate.ts";
import { type AlertMessage, type Link, linkLine, shortLinks } from "../alert-event.ts";
import { parseTemplate } from "../message-template.ts";
import { isPushPoint } from "../push-point.ts";
import { type Declaration, type OutgoingRequest, optional } from "./service.ts";

/* Formats that no service of others has. What they send is in `src/alerts/`. */

/** A Standard Webhook (behavior 5.30). Its config has a schema of its own. */
export const standard = {
  since: 1,
  readBy: "programs",
  // A hook.
  icon: "M15 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15 7v8.5a4.8 4.8 0 0 1-9.6 0V12l3.2 3.2",
  url: { isSecret: true },
  options: {},
  ownHeaders: ["webhook-id", "webhook-timestamp", "webhook-signature"],
} satisfies Declaration;

/** A message to the browser of a device (behavior 21.50). The browser gives the options. */
export const webpush = {
  since: 27,
  readBy: "people",
  // A phone with a dot.
  icon: "M7 3.5h10v17H7zM11 17.5h2M17.5 5.5v.01",
  url: { isSecret: true },
  options: {
    p256dh: {
      isHidden: true,
      schema: Type.String({
        format: "push-point",
        maxLength: 87,
        description: "The public key of the subscription, as the browser gives it.",
      }),
    },
    auth: {
      isHidden: true,
      schema: Type.String({
        format: "push-auth",
        maxLength: 22,
        description: "The secret of the subscription, as the browser gives it. A response shows `•••`.",
      }),
    },
  },
  ownHeaders: ["authorization", "content-encoding"],
  rules: {
    "push-point": {
      must: "be a point of P-256, 65 bytes in base64url",
      accepts: isPushPoint,
    },
    "push-auth": {
      must: "be 16 bytes in base64url",
      // The last digit of 16 bytes has four unused bits.
      accepts: (text) => text === MASK || /^[\w-]{21}[AQgw]$/.test(text),
      isSecret: true,
    },
  },
} satisfies Declaration;

/** The body of a custom request (behavior 16.155). */
const MAX_BODY_BYTES = 16 * 1024;

/** A request of the user's own form (behavior 16.155). */
export const custom = {
  since: 6,
  readBy: "programs",
  // Braces.
  icon: "M9 4C6.5 4 6 5 6 7v2c0 2-.7 3-2.5 3C5.3 12 6 13 6 15v2c0 2 .5 3 3 3M15 4c2.5 0 3 1 3 3v2c0 2 .7 3 2.5 3-1.8 0-2.5 1-2.5 3v2c0 2-.5 3-3 3",
  url: { isSecret: true },
  needsOptions: true,
  options: {
    method: optional({
      choices: [{ label: "POST" }, { value: "PUT", label: "PUT" }, { value: "GET", label: "GET" }],
      schema: described(oneOf(["POST", "PUT", "GET"]), "Default: `POST`."),
    }),
    contentType: optional({
      example: "application/json",
      isRare: true,
      schema: Type.String({
        format: "media-type",
        maxLength: 200,
        description: "Default: `application/json`.",
      }),
    }),
    body: optional({
      kind: "text-area",
      rows: 6,
      initial: '{\n  "text": "{{text}}",\n  "link": "{{link}}"\n}',
      schema: Type.String({
        format: "message-template",
        description:
          "Up to 16 KiB, with placeholders such as `{{monitor.name}}`. Required except with `GET`.",
      }),
    }),
  },
  rules: {
    "media-type": {
      must: "be a media type such as text/plain",
      accepts: (text) =>
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ \t]*[\w-]+=("[\x20\x21\x23-\x5b\x5d-\x7e]*"|[\w.+-]+))*$/.test(
          text,
        ),
    },
    "message-template": {
      must: "be a text of 1 byte to 16 KiB",
      accepts: (text) => text !== "" && new TextEncoder().encode(text).length <= MAX_BODY_BYTES,
    },
  },
  check({ url, options = {} }, hasHeader) {
    const { method = "POST", contentType, body } = options;
    if (contentType !== undefined && hasHeader("content-type"))
      throw fault("leaveOutIfHeader", {
        field: "config.options.contentType",
        other: "config.headers",
        header: "Content-Type",
      });
    if (method === "GET" && body !== undefined)
      throw fault("leaveOutWith", { field: "config.options.body", other: "GET" });
    if (method !== "GET" && body === undefined)
      throw fault("requiredWith", { field: "config.options.body", other: String(method) });
    parseTemplate(url, "config.url");
    if (typeof body === "string") parseTemplate(body, "config.options.body");
    // A name of a monitor must not choose the receiver.
    if (/[{}]/.test(new URL(url).host)) throw fault("placeholderInHost", { field: "config.url" });
  },
} satisfies Declaration;

/* Parts of the requests of services. */

/** Maximum UTF-16 units of a line of a list, so that a long name does not hide the names after it. */
const MAX_LINE = 140;

/**
 * A message without its title and links, as lines of text.
 *
 * @param limit UTF-16 units of the escaped text
 */
export function linesOf(
  { reason, facts, list = [], words }: AlertMessage,
  limit: number,
  escapeCharacter?: Escape,
): string {
  const names = list.map((line) => truncate(line, MAX_LINE));
  const values = facts.map(({ label, value }) => `${label}${words.colon}${value}`);
  // The names of a message about several events are more important than the counts, which its title has too.
  const lines = list.length > 0 ? [reason, ...names] : [reason, ...values];
  return truncate(lines.join("\n"), limit, escapeCharacter);
}

/** Signs before a title, by the group of the event. */
export const SIGNS = { down: "🔴", warning: "🟡", healthy: "🟢" };

/** A text in at most `limit` bytes of UTF-8. */
export function truncateToBytes(text: string, limit: number): string {
  if (bytesOf(text) <= limit) return text;
  let bytes = 3;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Bytes of UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Escapes for chats whose Markdown has no escape that holds in each place: a word joiner after a mark, so that no mention, link or
 * block begins there.
 */
export function withJoiner(character: string): string {
  return /[@#`~[\]<>$!|\\]/.test(character) ? `${character}\u2060` : character;
}

/** A link in Markdown. A parenthesis would end its address. */
export function markdownLink({ label, url }: Link): string {
  return `[${label}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

/** The links of a message of plain text, one a line: the first one is only its address. */
export function plainLinks(message: AlertMessage): string[] {
  const [main, ...others] = shortLinks(message);
  return [main.url, ...others.map((one) => linkLine(one, message.words))];
}

/** A request with a JSON body, by default a POST. */
export function jsonRequest(
  url: string,
  body: unknown,
  { method = "POST", headers = {} }: Partial<Pick<OutgoingRequest, "method" | "headers">> = {},
): OutgoingRequest {
  return {
    method,
    url,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * The URL of a path of a service whose base address may have a path and a trailing slash (behavior 16.145).
 *
 * @param path begins with a slash; its parts are escaped already
 */
export function serviceUrl(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url.href;
}

/** A text as one segment of a path. The name of a user may contain half of a character, which cannot be escaped. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Milliseconds of a delay in seconds, as JSON has it; undefined for anything else. */
export function seconds(delay: unknown): number | undefined {
  return typeof delay === "number" && delay > 0 ? Math.ceil(delay * 1000) : undefined;
}

/** The priority of the channel, or the default for the group of the event (behavior 16.147). */
export function priorityOf(
  { priority }: { priority?: number },
  group: StatusGroup,
  defaults: Record<StatusGroup, number>,
): number {
  return priority ?? defaults[group];
}
