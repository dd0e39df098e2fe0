import { isObject } from "../canonical-json.ts";
import { oneLine, truncate } from "../truncate.ts";
import { buildEntry, draftOf, type Target, type TextField } from "./entry.ts";
import {
  type EntryFault,
  type Found,
  type FoundEntry,
  type Reading,
  SourceFault,
  shownText,
} from "./found.ts";
import { nameOfTarget } from "./names.ts";
import { assertFew, enableOf, settle, textsOf } from "./reading.ts";
import { targetOf } from "./targets.ts";

/** The kinds of objects that name hosts. */
export type RouteKind = "Ingress" | "HTTPRoute";

/** An object of Kubernetes that names hosts, with what is needed of it. @property name with its namespace */
export interface Route {
  name: string;
  annotations: ReadonlyMap<string, string>;
  hosts: { host: string; isTls: boolean }[];
}

/**
 * Reads an object of a list (behavior 28.45). Hosts are in lower case, and each is there once.
 *
 * @throws SourceFault if it has another form
 */
export function parseRoute(kind: RouteKind, value: unknown): Route {
  const wrong = () => new SourceFault(`an entry of the list is no ${kind}`);
  if (!isObject(value) || !isObject(value.metadata)) throw wrong();
  const { name, namespace, annotations } = value.metadata;
  if (typeof name !== "string" || typeof namespace !== "string") throw wrong();
  const spec = value.spec ?? {};
  if (!isObject(spec)) throw wrong();
  const shown = shownText(`${namespace}/${name}`);
  const hosts = kind === "Ingress" ? hostsOfIngress(spec, shown) : hostsOfRoute(spec, shown);
  const byHost = new Map(hosts.map((one) => [one.host, one]));
  return {
    name: `${kind} ${shown}`,
    annotations: ownOf(textsOf(annotations, `the annotations of ${kind} ${shown}`)),
    hosts: [...byHost.values()],
  };
}

const PREFIX = "stillup.dev/";

/** Others can be long. */
function ownOf(annotations: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...annotations].filter(([name]) => name.startsWith(PREFIX)));
}

function hostsOfIngress({ rules, tls }: Record<string, unknown>, shown: string): Route["hosts"] {
  const hosts = objectsIn(rules, `the rules of Ingress ${shown}`).map(({ host }) => host);
  const covered = objectsIn(tls, `the tls of Ingress ${shown}`).flatMap((section) =>
    textsIn(section.hosts, `the hosts in the tls of Ingress ${shown}`),
  );
  const names = new Set(covered);
  return textsIn(
    hosts.filter((host) => host !== undefined && host !== ""),
    `the hosts of Ingress ${shown}`,
  ).map((host) => ({ host, isTls: names.has(host) || names.has(wildcardOf(host)) }));
}

/** The name of a certificate for all names that differ in the first label. */
function wildcardOf(host: string): string {
  return `*${host.slice(host.indexOf("."))}`;
}

function hostsOfRoute({ hostnames }: Record<string, unknown>, shown: string): Route["hosts"] {
  return textsIn(hostnames, `the host names of HTTPRoute ${shown}`).map((host) => ({ host, isTls: true }));
}

function objectsIn(value: unknown, what: string): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isObject))
    throw new SourceFault(`${what} must be a list of objects`);
  return value;
}

function textsIn(value: unknown, what: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throw new SourceFault(`${what} must be a list of texts`);
  return value.map((one) => shownHost(one.toLowerCase()));
}

/** A host has at most 253 characters, which the API server checks. */
function shownHost(host: string): string {
  return truncate(oneLine(host), 300);
}

/** The entries that objects of Kubernetes ask for (behavior 28.45 to 28.47). Each host is found once. @throws SourceFault if there are too many */
export function readRoutes(routes: readonly Route[]): Reading {
  const faults: EntryFault[] = [];
  const byHost = new Map<string, Found>();
  for (const route of routes)
    for (const found of readRoute(route, faults)) {
      const known = byHost.get(found.name);
      byHost.set(found.name, known ? together(known, found) : found);
    }
  assertFew(byHost.size, "hosts");
  return settle([...byHost.values()], faults);
}

/** A host of two objects is excluded if both exclude it. */
function together(one: Found, other: Found): Found {
  const entries = [...one.entries, ...other.entries];
  return { ...one, entries, isExcluded: one.isExcluded && other.isExcluded };
}

function readRoute({ name, annotations, hosts }: Route, faults: EntryFault[]): Found[] {
  const fields: TextField[] = [...annotations].map(([annotation, text]) => ({
    parts: annotation.slice(PREFIX.length).split("."),
    text,
  }));
  const isEnable = ({ parts }: TextField) => parts.join(".") === "enable";
  const { isExcluded, fault } = enableOf(fields.find(isEnable)?.text);
  if (fault !== undefined) faults.push({ entry: name, message: `${PREFIX}enable ${fault}` });
  const others = fields.filter((field) => !isEnable(field));
  return hosts.map(({ host, isTls }) => {
    const found = { name: host, isExcluded, isRunning: true };
    // A name of many hosts can't be checked.
    if (host.includes("*")) return { ...found, addresses: [], draft: null, entries: [] };
    const target = targetOf(`${isTls ? "https" : "http"}://${host}/`) ?? {};
    const entry = isExcluded ? undefined : entryOf(name, { host, target }, others, faults);
    return { ...found, addresses: [host], draft: draftOf(host, target), entries: entry ? [entry] : [] };
  });
}

function entryOf(
  name: string,
  { host, target }: { host: string; target: Target },
  fields: TextField[],
  faults: EntryFault[],
): FoundEntry | undefined {
  const ref = `kubernetes/${nameOfTarget(host)}`;
  const { entry, fault } = buildEntry(fields, target);
  if (entry) return { ref, entry };
  faults.push({ entry: ref, message: `in the annotations of ${name}: ${fault}` });
  return undefined;
}
