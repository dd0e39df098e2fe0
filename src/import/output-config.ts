import type { ChannelType } from "../domain/alerts/channel.ts";
import { declarationOf, formatOf, secretOptions } from "../domain/alerts/webhook-format.ts";
import { createVariableNames, literal, partsOf, placeholder } from "../domain/configuration/placeholder.ts";

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
    if (name === "url" && declarationOf[format].url.isSecret) return write(value, name);
    if (name === "headers") return writeHeaders(value as Config, write);
    if (name !== "options") return literals(value);
    return mapped(value as Config, (option, of) => (names.has(of) ? write(option, of) : literals(option)));
  });
}

/** The secret field of each part of a config of an HTTP monitor. */
const SECRET_PARTS: Record<string, string> = {
  basicAuth: "password",
  digestAuth: "password",
  clientCertificate: "key",
  proxy: "password",
  oauth2: "clientSecret",
};

/** The config of a monitor as it is written in a document. */
export function writeMonitorConfig(config: Config, { type, ref, secrets }: Written): Config {
  const write = (value: unknown, ...parts: string[]) => secrets.write(String(value), type, ref, ...parts);
  return mapped(config, (value, name) => {
    if (name === "pushToken") return write(value, name);
    if (name === "headers") return writeHeaders(value as Config, write);
    const secret = SECRET_PARTS[name];
    if (secret === undefined) return literals(value);
    const parts = name === "proxy" ? [name, secret] : [secret];
    return mapped(value as Config, (part, of) => (of === secret ? write(part, ...parts) : literals(part)));
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

/** Writes the secrets of an imported document. */
export interface Secrets {
  /**
   * The text for a secret in the document: a placeholder, or the secret itself with `--with-secrets`.
   *
   * @param parts name the secret, such as `SLACK`, `ops`, `webhookUrl`
   */
  write(secret: string, ...parts: string[]): string;
  /** A placeholder for a value that the other product does not say, also with `--with-secrets`. */
  unknown(...parts: string[]): string;
  /** The variables of the placeholders that were written, in their order. */
  variables(): string[];
}

/**
 * @param withSecrets whether the document contains the secrets themselves (behavior 16.93)
 * @param taken variables of the document that mean something else
 */
export function createSecrets(withSecrets: boolean, taken: Iterable<string> = []): Secrets {
  const nameOf = createVariableNames(taken);
  const names: string[] = [];
  const unknown = (...parts: string[]): string => {
    const name = nameOf(...parts);
    names.push(name);
    return placeholder(name);
  };
  return {
    unknown,
    write: (secret, ...parts) => (withSecrets ? literal(secret) : unknown(...parts)),
    variables: () => [...names],
  };
}

/* Variables in the texts of a configuration document. */

/** Whether a text of a document has a placeholder. */
export function hasVariable(text: string): boolean {
  return partsOf(text).some((part) => "name" in part);
}

/**
 * Writes a secret of another product. A secret that the product already takes from its environment stays that variable.
 *
 * @param written the text as a document writes it
 * @param parts name the secret
 */
export function secretText(written: string, secrets: Secrets, ...parts: string[]): string {
  if (hasVariable(written)) return written;
  const text = partsOf(written).map((part) => ("text" in part ? part.text : ""));
  return secrets.write(text.join(""), ...parts);
}

/** The names of the variables in the texts of a value. */
export function variablesIn(value: unknown): string[] {
  if (typeof value === "string") return partsOf(value).flatMap((part) => ("name" in part ? [part.name] : []));
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(variablesIn);
}

export type Environment = Record<string, string | undefined>;

/** A text of a document with the values of its variables. A variable that is not set stays as it is. */
export function resolved(text: string, env: Environment): string {
  return partsOf(text)
    .map((part) => {
      if ("name" in part) return env[part.name] ?? placeholder(part.name);
      return "text" in part ? part.text : part.malformed;
    })
    .join("");
}

/** A value of a document, as `resolved`. */
export function resolvedValue<T>(value: T, env: Environment): T;
export function resolvedValue(value: unknown, env: Environment): unknown {
  if (typeof value === "string") return resolved(value, env);
  if (Array.isArray(value)) return value.map((one) => resolvedValue(one, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolvedValue(one, env)]));
}
