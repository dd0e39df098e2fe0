import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import type { Target } from "../connections/dial.ts";

/** One request of a check. */
export interface Request {
  url: URL;
  method: string;
  /** Whether the body of the config is still sent: a redirect may drop it. */
  hasBody: boolean;
}

export type HttpConfig = MonitorConfig<"HTTP">;

/** The first request of a check (behavior 10.1 to 10.6). */
export function firstRequest({ url, method = "GET", body }: HttpConfig): Request {
  return { url: new URL(url), method, hasBody: body !== undefined };
}

/**
 * The text of a request. The headers, the credentials and the body of the config are only sent to the origin of its
 * URL.
 */
export function requestText({ url, method, hasBody }: Request, config: HttpConfig): string {
  const isTrusted = url.origin === new URL(config.url).origin;
  const body = isTrusted && hasBody ? config.body : undefined;
  const headers = new Map<string, [name: string, value: string]>();
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [name, value]);
  set("Host", url.host);
  set("User-Agent", "stillup");
  set("Accept", "*/*");
  if (body !== undefined && isJson(body)) set("Content-Type", "application/json");
  if (isTrusted) {
    if (config.basicAuth) set("Authorization", basic(config.basicAuth));
    for (const [name, value] of Object.entries(config.headers ?? {})) set(name, value);
    // A redirect has dropped the body that this header describes.
    if (config.body !== undefined && body === undefined) headers.delete("content-type");
  }
  if (body !== undefined || ["POST", "PUT", "PATCH"].includes(method)) {
    set("Content-Length", String(Buffer.byteLength(body ?? "")));
  }
  set("Connection", "close");
  const lines = [...headers.values()].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url.pathname}${url.search} HTTP/1.1`, ...lines, "", body ?? ""].join("\r\n");
}

/** @param url of `http:` or `https:` */
export function targetOf(url: URL): { target: Target; secure: boolean } {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { target: { host, port: url.port === "" ? (secure ? 443 : 80) : Number(url.port) }, secure };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function basic({ user, password }: NonNullable<HttpConfig["basicAuth"]>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
