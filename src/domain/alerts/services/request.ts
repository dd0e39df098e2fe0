import type { StatusGroup } from "../../monitors/status.ts";
import { type Escape, truncate } from "../../truncate.ts";
import type { AlertMessage, Link } from "../alert-message.ts";
import type { OutgoingRequest } from "./service.ts";

/* Parts of the requests of services. */

/** Maximum UTF-16 units of a line of a list, so that a long name does not hide the names after it. */
const MAX_LINE = 140;

/**
 * A message without its title and links, as lines of text.
 *
 * @param limit UTF-16 units of the escaped text
 */
export function linesOf(
  { reason, facts, list = [] }: AlertMessage,
  limit: number,
  escapeCharacter?: Escape,
): string {
  const names = list.map((line) => truncate(line, MAX_LINE));
  const values = facts.map(({ label, value }) => `${label}: ${value}`);
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

function bytesOf(text: string): number {
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
