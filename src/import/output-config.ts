import type { ChannelType } from "../domain/alerts/channel.ts";
import { declarationOf, formatOf, secretOptions } from "../domain/alerts/webhook-format.ts";
import { literal } from "../domain/configuration/placeholder.ts";
import type { Secrets } from "./secrets.ts";

type Config = Record<string, unknown>;

interface Written {
  /** The prefix of the variables of the secrets, before the ref. */
  type: string;
  ref: string;
  secrets: Secrets;
}

/** The config of a channel as it is written in a document: its secrets by placeholders (behavior 16.93). */
export function writeChannelConfig(
  config: Config,
  { type, ref, secrets }: Written & { type: ChannelType },
): Config {
  const format = formatOf(config);
  const prefix = type !== "WEBHOOK" || format === "standard" ? type : format;
  const names = new Set(type === "WEBHOOK" ? secretOptions(format) : []);
  const write = (value: unknown, ...parts: string[]) => secrets.write(String(value), prefix, ref, ...parts);
  return mapped(config, (value, name) => {
    if (name === "webhookUrl" || name === "secret") return write(value, name);
    if (name === "url" && declarationOf(format).url.isSecret) return write(value, name);
    if (name === "headers") return writeHeaders(value as Config, write);
    if (name !== "options") return literals(value);
    return mapped(value as Config, (option, of) => (names.has(of) ? write(option, of) : literals(option)));
  });
}

/** The config of a monitor as it is written in a document. */
export function writeMonitorConfig(config: Config, { type, ref, secrets }: Written): Config {
  const write = (value: unknown, ...parts: string[]) => secrets.write(String(value), type, ref, ...parts);
  return mapped(config, (value, name) => {
    if (name === "pushToken") return write(value, name);
    if (name === "headers") return writeHeaders(value as Config, write);
    if (name !== "basicAuth") return literals(value);
    return mapped(value as Config, (part, of) => (of === "password" ? write(part, of) : literals(part)));
  });
}

function writeHeaders(headers: Config, write: (value: unknown, ...parts: string[]) => string): Config {
  return mapped(headers, (value, name) => (isPlainHeader(name) ? literals(value) : write(value, name)));
}

function mapped(object: Config, write: (value: unknown, name: string) => unknown): Config {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, write(value, name)]));
}

/** All texts of a value as they are written in a document. The names in an object have no placeholders. */
export function literals(value: unknown): unknown {
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return value.map(literals);
  if (typeof value !== "object" || value === null) return value;
  return mapped(value as Config, literals);
}

/** Headers whose values are no secrets, in lower case. */
const PLAIN = [
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "sec-websocket-protocol",
  "host",
  "origin",
  "pragma",
  "user-agent",
  "x-requested-with",
];

/** Whether the value of a header is written into a document as it is. The values of all others are secrets. */
export function isPlainHeader(name: string): boolean {
  return PLAIN.includes(name.toLowerCase());
}
