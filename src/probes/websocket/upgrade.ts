import { createHash, randomBytes } from "node:crypto";
import { firstUrlOf } from "../../domain/monitors/kinds/http-target.ts";
import { basic, type HttpConfig } from "../http/request.ts";
import type { Headers } from "../http/response-parser.ts";

/** Appended to the key of a request (RFC 6455, 1.3). */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** The key of one request. */
export function createKey(): string {
  return randomBytes(16).toString("base64");
}

/** The request that asks for a WebSocket (RFC 6455, 4.1), with the headers of the config. It asks for no extension. */
export function upgradeText(key: string, config: HttpConfig): string {
  const { headers = {}, basicAuth } = config;
  const url = new URL(firstUrlOf(config));
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [`GET ${url.pathname}${url.search} HTTP/1.1`];
  if (!own.has("host")) lines.push(`Host: ${url.host}`);
  if (!own.has("user-agent")) lines.push("User-Agent: stillup");
  lines.push("Upgrade: websocket", "Connection: Upgrade");
  lines.push(`Sec-WebSocket-Key: ${key}`, "Sec-WebSocket-Version: 13");
  if (basicAuth) lines.push(`Authorization: ${basic(basicAuth)}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/**
 * The fault of the headers of a 101 (RFC 6455, 4.2.2), or null. A text that a server sent is not in it.
 *
 * @param key of the request
 */
export function faultOfUpgrade(sent: Headers, key: string, { headers = {} }: HttpConfig): string | null {
  if (!listOf(sent, "upgrade").includes("websocket")) return "the answer lacks Upgrade: websocket";
  if (!listOf(sent, "connection").includes("upgrade")) return "the answer lacks Connection: Upgrade";
  const [accept, ...others] = valuesOf(sent, "sec-websocket-accept");
  if (accept === undefined) return "the answer lacks Sec-WebSocket-Accept";
  if (accept !== acceptOf(key) || others.length > 0)
    return "Sec-WebSocket-Accept is wrong: the answer is not to this request";
  if (valuesOf(sent, "sec-websocket-extensions").some((value) => value !== ""))
    return "the server uses an extension that was not asked for";
  const asked = listOf(Object.entries(headers), "sec-websocket-protocol", (name) => name);
  const chosen = valuesOf(sent, "sec-websocket-protocol");
  if (chosen.length > 1 || chosen.some((name) => !asked.includes(name)))
    return "the server chose a subprotocol that was not asked for";
  return null;
}

function acceptOf(key: string): string {
  return createHash("sha1")
    .update(key + GUID)
    .digest("base64");
}

function valuesOf(headers: Headers, wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

/** The entries of a list. @param normalized of an entry. Default: in lower case, because most tokens ignore case */
function listOf(
  headers: Headers,
  wanted: string,
  normalized = (entry: string) => entry.toLowerCase(),
): string[] {
  return valuesOf(headers, wanted).flatMap((value) => value.split(",").map((one) => normalized(one.trim())));
}
