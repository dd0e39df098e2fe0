import { isObject } from "../canonical-json.ts";
import { MONITOR_TYPES, type MonitorType } from "../monitors/kinds/kinds.ts";
import { isIP } from "../network/client-address.ts";
import { registerFormats } from "../schemas/format-rules.ts";
import { oneLine, truncate } from "../truncate.ts";
import { convertText, type Place, placeOf } from "./field-value.ts";
import { hostAndPort } from "./target-addresses.ts";

/** A field as a source has it. @property parts its name, parted at the dots @property text its value */
export interface TextField {
  parts: readonly string[];
  text: string;
}

/** Where something is reached, as far as it is known. @property url only of HTTP */
export interface Target {
  host?: string;
  port?: number;
  url?: string;
}

/** An entry of `monitors` of a document, or why the fields are none. */
export type Built = { entry: object; fault?: never } | { fault: string; entry?: never };

/** The deepest field: no schema has one that is deeper. */
const MAX_PARTS = 12;

/** The longest text: steps with bodies fit. */
const MAX_TEXT = 1_000_000;

/**
 * The entry of a monitor from texts (behavior 28.31 to 28.34). What the texts lack of its target comes from where the thing is
 * reached. It is not judged otherwise: that is for the rules of documents.
 */
export function buildEntry(fields: readonly TextField[], target: Target): Built {
  const deep = fields.find(({ parts }) => parts.length > MAX_PARTS || parts.includes(""));
  if (deep) return { fault: `${shownField(deep)} must have 1 to ${MAX_PARTS} names with a dot between two` };
  const long = fields.find(({ text }) => text.length > MAX_TEXT);
  if (long)
    return { fault: `${shownField(long)} must have at most ${MAX_TEXT.toLocaleString("en")} characters` };
  const given = textsOfConfig(fields);
  const type = fields.find(({ parts }) => parts.join(".") === "type")?.text ?? guessedType(given, target);
  if (type === undefined)
    return { fault: "needs a url, a hostname, or a host and a port: nothing else says where it is reached" };
  const tree = treeOf(fields, type);
  if (typeof tree === "string") return { fault: tree };
  const { config = new Map(), ...others } = Object.fromEntries(tree);
  if (!(config instanceof Map)) return { entry: { type, ...plain(tree) } };
  const completed = { ...targetFields(type, given, target), ...plain(config) };
  return { entry: { type, ...plain(new Map(Object.entries(others))), config: completed } };
}

/** Whether an entry needs the port at which the thing is reached. */
export function needsPort(fields: readonly TextField[]): boolean {
  const given = textsOfConfig(fields);
  const type = fields.find(({ parts }) => parts.join(".") === "type")?.text ?? guessedType(given, {});
  if (type === "HTTP") return !given.has("url") && !given.has("steps");
  return type !== "DNS" && type !== "SCHEDULED" && !given.has("port") && !isPing(given);
}

/** The texts of the config by the first part of their names. */
function textsOfConfig(fields: readonly TextField[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { parts, text } of fields) {
    const [name = "", ...deeper] = parts[0] === "config" ? parts.slice(1) : parts;
    if (name !== "") texts.set(name, deeper.length === 0 ? text : "");
    else for (const field of fieldsOfObject(text)) texts.set(field, "");
  }
  return texts;
}

/** The fields of a whole config. A text that is none can have a million characters. */
function fieldsOfObject(text: string): string[] {
  const config = convertText(text, placeOf(["config"], "").schemas);
  return isObject(config) ? Object.keys(config) : [];
}

/** Behavior 28.33. */
function guessedType(given: ReadonlyMap<string, string>, target: Target): MonitorType | undefined {
  if (given.has("url") || given.has("steps")) return "HTTP";
  if (given.has("hostname")) return "DNS";
  if (given.has("host") && given.has("port")) return "TCP";
  if (target.url !== undefined) return "HTTP";
  const hasHost = given.has("host") || target.host !== undefined;
  const hasPort = given.has("port") || target.port !== undefined || isPing(given);
  return hasHost && hasPort ? "TCP" : undefined;
}

function isPing(given: ReadonlyMap<string, string>): boolean {
  return given.get("protocol") === "icmp";
}

/** The fields of a config that say where the target is, if the texts do not. */
function targetFields(type: string, given: ReadonlyMap<string, string>, target: Target): object {
  const { host, port, url } = target;
  const missing = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => value !== undefined && !given.has(name)),
    );
  switch (MONITOR_TYPES.find((known) => known === type)) {
    case "HTTP":
      return given.has("steps") ? {} : missing({ url: url ?? urlOf(target) });
    case "TCP":
      return missing({ host, port: isPing(given) ? undefined : port });
    case "TLS":
      return missing({ host, port });
    case "DNS":
      return missing({ hostname: host !== undefined && isIP(host) ? undefined : host });
  }
  return {};
}

function urlOf({ host, port }: Target): string | undefined {
  return host === undefined || port === undefined ? undefined : `http://${hostAndPort(host, port)}/`;
}

/** The values with which a form begins; null if it is not known where the thing is reached. */
export function draftOf(name: string, { host, port, url }: Target): object | null {
  if (url !== undefined) return { name, type: "HTTP", config: { url, interval: 60 } };
  if (host === undefined || port === undefined) return null;
  return { name, type: "TCP", config: { host, port, interval: 60 } };
}

type Tree = Map<string, unknown>;

/** @returns a fault if two fields have the same place */
function treeOf(fields: readonly TextField[], type: string): Tree | string {
  registerFormats();
  const tree: Tree = new Map();
  const inOrder = fields.toSorted((one, other) => one.parts.length - other.parts.length);
  for (const field of inOrder) {
    const place = placeOf(field.parts, type);
    if (!put(tree, place.path, convertText(field.text, place.schemas)))
      return `${shownField(field)} is given twice: another field has its place`;
  }
  return tree;
}

/** @returns whether there was room */
function put(tree: Tree, [name = "", ...deeper]: Place["path"], value: unknown): boolean {
  if (deeper.length === 0) {
    if (tree.has(name)) return false;
    tree.set(name, value);
    return true;
  }
  const branch = tree.get(name) ?? new Map();
  tree.set(name, branch);
  return branch instanceof Map && put(branch, deeper, value);
}

function plain(tree: Tree): object {
  return Object.fromEntries(
    [...tree].map(([name, value]) => [name, value instanceof Map ? plain(value) : value]),
  );
}

function shownField({ parts }: TextField): string {
  return truncate(oneLine(parts.slice(0, MAX_PARTS).join(".")), 100);
}
