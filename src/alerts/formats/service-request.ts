import type { StatusGroup } from "../../domain/monitors/status.ts";
import type { OutgoingRequest } from "../http-request.ts";

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
