import { isObject } from "../canonical-json.ts";
import { isIP } from "../network/client-address.ts";
import { type Built, buildEntry, draftOf, type Target, type TextField } from "./entry.ts";
import { type EntryFault, type Found, type Reading, SourceFault, shownText } from "./found.ts";
import { nameOfTarget, withoutUser } from "./names.ts";
import { assertFew, enableOf, settle } from "./reading.ts";
import { hostAndPort } from "./target-addresses.ts";

/** A group of targets of Prometheus. */
interface Group {
  targets: string[];
  labels: ReadonlyMap<string, string>;
}

/**
 * The groups of a file in the format `file_sd`, or of an answer in the format `http_sd` (behavior 28.50). Other fields than `targets` and
 * `labels` are ignored.
 *
 * @throws SourceFault if it has another form
 */
export function parseGroups(value: unknown): Group[] {
  if (!Array.isArray(value)) throw new SourceFault("must be a list of objects with targets");
  return value.map((group, at) => {
    const what = `entry ${at + 1}`;
    if (!isObject(group)) throw new SourceFault(`${what} must be an object with targets`);
    const { targets, labels } = group;
    if (!Array.isArray(targets) || !targets.every((target) => typeof target === "string"))
      throw new SourceFault(`${what} must have a list of texts as its targets`);
    if (targets.some(({ length }) => length > MAX_TARGET))
      throw new SourceFault(`${what} has a target that is longer than ${MAX_TARGET} characters`);
    return { targets, labels: labelsIn(labels, what) };
  });
}

/** No URL of a monitor is as long. */
const MAX_TARGET = 4096;

/** YAML has numbers and booleans where Prometheus reads texts. */
function labelsIn(value: unknown, what: string): ReadonlyMap<string, string> {
  if (value === undefined || value === null) return new Map();
  if (!isObject(value)) throw new SourceFault(`the labels of ${what} must be an object with texts`);
  const labels = Object.entries(value).map(([name, text]) => {
    if (typeof text === "object" && text !== null)
      throw new SourceFault(`the labels of ${what} must be an object with texts`);
    return [name, text === null ? "" : String(text)] as const;
  });
  return new Map(labels);
}

/** The entries that groups of targets ask for (behavior 28.50 to 28.52). @throws SourceFault if there are too many targets */
export function readGroups(source: "files" | "http", groups: readonly Group[]): Reading {
  assertFew(
    groups.reduce((sum, { targets }) => sum + targets.length, 0),
    "targets",
  );
  const faults: EntryFault[] = [];
  const found = groups.flatMap(({ targets, labels }) => {
    const fields = fieldsIn(labels);
    const { isExcluded, fault } = enableOf(fields.find(isEnable)?.text);
    const others = fields.filter((field) => !isEnable(field));
    return targets.map((text) => {
      if (fault !== undefined) faults.push({ entry: shownTarget(text), message: `stillup_enable ${fault}` });
      return readTarget(source, text, { fields: others, isExcluded, faults });
    });
  });
  return settle(found, faults);
}

function isEnable({ parts }: TextField): boolean {
  return parts.join(".") === "enable";
}

/** A label of Prometheus has `_` where a field has a dot. */
function fieldsIn(labels: ReadonlyMap<string, string>): TextField[] {
  return [...labels].flatMap(([label, text]) => {
    const [, underscored] = /^(?:__)?stillup_(.+)$/s.exec(label) ?? [];
    const [, dotted] = /^stillup\.(.+)$/s.exec(label) ?? [];
    if (underscored !== undefined) return [{ parts: underscored.split("_"), text }];
    return dotted === undefined ? [] : [{ parts: dotted.split("."), text }];
  });
}

function readTarget(
  source: "files" | "http",
  text: string,
  { fields, isExcluded, faults }: { fields: TextField[]; isExcluded: boolean; faults: EntryFault[] },
): Found {
  const target = targetOf(text);
  const name = nameOfTarget(text);
  const ref = `${source}/${name}`;
  const found = {
    ...{ name: shownTarget(text), isExcluded, isRunning: true },
    addresses: target ? addressesOf(target) : [],
    draft: draftOf(shownTarget(text), target ?? {}),
  };
  if (isExcluded) return { ...found, entries: [] };
  const { entry, fault } = builtOf(target, name, fields);
  if (entry) return { ...found, entries: [{ ref, entry }] };
  faults.push({ entry: name === "" ? found.name : ref, message: fault });
  return { ...found, entries: [] };
}

function builtOf(target: Target | undefined, name: string, fields: TextField[]): Built {
  if (target && name !== "") return buildEntry(fields, target);
  return {
    fault: "must be host:port, or a URL that begins with http:// or https://, without user name or password",
  };
}

/** As people see it: without what can be a secret. */
function shownTarget(text: string): string {
  return shownText(withoutUser(text).replace(/[?#].*$/s, "")) || "an empty target";
}

/** @returns undefined if it is neither a host, with or without a port, nor a URL of HTTP without a user */
export function targetOf(text: string): Target | undefined {
  if (text.includes("://")) {
    const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
    if (!url || `${url.username}${url.password}` !== "") return undefined;
    const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
    return { url: text, host: url.hostname.replace(/^\[|\]$/g, ""), port };
  }
  const [, bracketed, plain, digits] = /^(?:\[([^[\]]+)\]|([^\s:/@[\]]+))(?::(\d{1,9}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? (isIP(text) ? text : undefined);
  return host === undefined ? undefined : { host, ...(digits !== undefined && { port: Number(digits) }) };
}

function addressesOf({ host = "", port }: Target): string[] {
  return [(port === undefined ? host : hostAndPort(host, port)).toLowerCase()];
}
