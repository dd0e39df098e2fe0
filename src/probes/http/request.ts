import { isJson } from "../../domain/checks/json-document.ts";
import { firstUrlOf } from "../../domain/monitors/kinds/http-target.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import type { Target } from "../connections/dial.ts";

/** One request of a check. */
export interface Request {
  url: URL;
  method: string;
  /** Whether the body of the config is still sent: a redirect may drop it. */
  hasBody: boolean;
  /** Cookies of previous answers for it, such as `sid=31d4`. */
  cookies?: readonly string[] | undefined;
  /** The value of the header `Authorization`, with one character for each byte, instead of the one of the config. */
  authorization?: string;
}

export type HttpConfig = MonitorConfig<"HTTP">;

/** The first request of a check (behavior 10.1 to 10.6). */
export function firstRequest(config: HttpConfig, cookies?: string[]): Request {
  const { method = "GET", body } = config;
  return { url: new URL(firstUrlOf(config)), method, hasBody: body !== undefined, cookies };
}

/** The text of a request. The headers and the body of the config are only sent to the origin of its URL. */
export function requestText(
  { url, method, hasBody, authorization, cookies }: Request,
  config: HttpConfig,
): string {
  if (method === "GET" && !hasSecrets(config) && authorization === undefined && !cookies)
    return plainText(url);
  const isTrusted = !hasSecrets(config) || url.origin === new URL(firstUrlOf(config)).origin;
  const body = isTrusted && hasBody ? config.body : undefined;
  const own = withCookies(isTrusted ? ownHeaders(config, body) : [], cookies);
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`];
  const add = (name: string, value: string) => {
    if (!own.some(([other]) => other.toLowerCase() === name.toLowerCase())) lines.push(`${name}: ${value}`);
  };
  add("Host", url.host);
  add("User-Agent", "stillup");
  add("Accept", "*/*");
  if (config.basicAuth && isTrustedUrl(url, config)) lines.push(`Authorization: ${basic(config.basicAuth)}`);
  if (authorization !== undefined) lines.push(`Authorization: ${authorization}`);
  if (body !== undefined && isJson(body)) add("Content-Type", "application/json");
  for (const [name, value] of own) lines.push(`${name}: ${value}`);
  if (body !== undefined || ["POST", "PUT", "PATCH"].includes(method)) {
    lines.push(`Content-Length: ${Buffer.byteLength(body ?? "")}`);
  }
  lines.push("Connection: close");
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Whether a URL has the origin that gets the credentials of a config: the origin of `url`, or of the first step (behavior 26.74). */
export function isTrustedUrl({ origin }: URL, config: Pick<HttpConfig, "url" | "steps">): boolean {
  return origin === new URL(config.steps?.[0]?.url ?? firstUrlOf(config)).origin;
}

/** The usual request, without the work of composing it. */
function plainText({ pathname, search, host }: URL): string {
  return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: stillup\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
}

function hasSecrets({ headers, basicAuth, body }: HttpConfig): boolean {
  return headers !== undefined || basicAuth !== undefined || body !== undefined;
}

/** The headers of the config. If a redirect has dropped its body, the type of that body is dropped too. */
function ownHeaders(config: HttpConfig, body: string | undefined): [name: string, value: string][] {
  const headers = Object.entries(config.headers ?? {});
  if (config.body === undefined || body !== undefined) return headers;
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}

/** Adds the cookies to the header of the config, whose own ones win: its author has named them (behavior 26.103). */
function withCookies(
  headers: [name: string, value: string][],
  cookies: readonly string[] = [],
): typeof headers {
  const isCookie = ([name]: [string, string]) => name.toLowerCase() === "cookie";
  const own = headers.filter(isCookie).flatMap(([, value]) => value.split(";").map((pair) => pair.trim()));
  const names = new Set(own.map(nameOf));
  const added = cookies.filter((pair) => !names.has(nameOf(pair)));
  if (added.length === 0) return headers;
  return [...headers.filter((header) => !isCookie(header)), ["Cookie", [...own, ...added].join("; ")]];
}

/** @param pair such as `sid=31d4` */
function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}

/** @param url of `http:` or `https:` */
export function targetOf(url: URL): { target: Target; secure: boolean } {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { target: { host, port: url.port === "" ? (secure ? 443 : 80) : Number(url.port) }, secure };
}

/** The value of the header `Authorization`. */
export function basic({ user, password }: NonNullable<HttpConfig["basicAuth"]>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
