import { isObject } from "../canonical-json.ts";
import { oneLine, truncate } from "../truncate.ts";
import { buildEntry, draftOf, needsPort, type Target, type TextField } from "./entry.ts";
import {
  type EntryFault,
  type Found,
  type FoundEntry,
  type Reading,
  SourceFault,
  shownText,
} from "./found.ts";
import { isLabelName } from "./names.ts";
import { assertFew, enableOf, settle, textsOf } from "./reading.ts";
import { hostAndPort } from "./target-addresses.ts";

/** @property host at which published ports are checked @property own the host name of this process */
interface Asked {
  host: string;
  own: string;
}

/**
 * The entries that containers of an engine ask for (behavior 28.36 to 28.40).
 *
 * @param answer of `GET /containers/json?all=1`
 * @throws SourceFault if it is none
 */
export function readContainers(answer: unknown, asked: Asked): Reading {
  const parts = containersIn(answer).map((container) => readContainer(container, asked));
  return settle(
    parts.map(({ found }) => found),
    parts.flatMap(({ faults }) => faults),
  );
}

/**
 * The IDs of containers that ask for a monitor of a port that the list does not have (behavior 28.41): the list has no ports of a container
 * that is stopped.
 *
 * @throws SourceFault as `readContainers`
 */
export function withoutPorts(answer: unknown): string[] {
  const hasNone = ({ ports }: Container) => ports.every(({ publicPort }) => publicPort === undefined);
  const isExcluded = ({ labels }: Container) => enableOf(labels.get("stillup.enable")).isExcluded;
  const asks = (container: Container) => [...fieldsByName(container, []).values()].some(needsPort);
  return containersIn(answer)
    .filter((container) => hasNone(container) && !isExcluded(container) && asks(container))
    .map(({ id }) => id);
}

/** @param ports by ID of the container @returns the same answer with them */
export function withPorts(answer: unknown, ports: ReadonlyMap<string, object[]>): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((container) => {
    const own = ports.get(container.Id);
    return own ? { ...container, Ports: own } : container;
  });
}

/**
 * The ports that a container publishes when it runs, in the form of the list. A port that the engine chooses at each start is not known.
 *
 * @param inspected answer of `GET /containers/ID/json`
 */
export function portsOfBindings(inspected: unknown): object[] {
  const config = isObject(inspected) ? inspected.HostConfig : undefined;
  const bindings = isObject(config) && isObject(config.PortBindings) ? config.PortBindings : {};
  return Object.entries(bindings).flatMap(([port, hosts]) => {
    const [number, type = "tcp"] = port.split("/");
    const published = Array.isArray(hosts) ? hosts.filter(isObject) : [];
    return published
      .map(({ HostIp: ip, HostPort: host }) => ({
        PrivatePort: Number(number),
        PublicPort: Number(host),
        Type: type,
        IP: ip,
      }))
      .filter(({ PrivatePort: inside, PublicPort: outside }) => isPort(inside) && isPort(outside));
  });
}

function containersIn(answer: unknown): Container[] {
  if (!Array.isArray(answer)) throw new SourceFault("the answer is no list of containers");
  assertFew(answer.length, "containers");
  return answer.map(parseContainer).filter(({ state }) => !GONE.has(state));
}

/** The states of what is being deleted. */
const GONE: ReadonlySet<string> = new Set(["removing", "dead"]);
const RUNNING: ReadonlySet<string> = new Set(["running", "paused", "restarting"]);

/** @property ip undefined if the port is not published @property publicPort as `ip` */
interface Port {
  privatePort: number;
  publicPort?: number;
  ip?: string;
}

interface Container {
  id: string;
  name: string;
  state: string;
  labels: ReadonlyMap<string, string>;
  /** Ports of TCP. An engine sends them in no order. */
  ports: Port[];
  /** Names and addresses in the networks of the engine. */
  hosts: string[];
}

function parseContainer(value: unknown, at: number): Container {
  const what = `container ${at + 1} of the answer`;
  if (!isObject(value) || typeof value.Id !== "string") throw new SourceFault(`${what} has no ID`);
  const { Id: id, Names: names, State: state = "running" } = value;
  if (typeof state !== "string") throw new SourceFault(`the state of ${what} must be a text`);
  const name = nameIn(names) || shownText(id.slice(0, 12));
  return {
    id,
    name,
    state: state.toLowerCase(),
    labels: textsOf(value.Labels, `the labels of ${what}`),
    ports: portsIn(value.Ports, what),
    hosts: hostsIn(name, value.NetworkSettings),
  };
}

/** The name of its own: a link from another container has the name of that too. */
function nameIn(names: unknown): string | undefined {
  const texts = Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  const name = texts
    .map((text) => text.replace(/^\//, ""))
    .find((text) => text !== "" && !text.includes("/"));
  return name === undefined ? undefined : shownText(name);
}

function portsIn(value: unknown, what: string): Port[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new SourceFault(`the ports of ${what} must be a list`);
  const ports = value.map((port): Port[] => {
    if (!isObject(port) || !isPort(port.PrivatePort))
      throw new SourceFault(`a port of ${what} has no number`);
    if (port.Type !== undefined && port.Type !== "tcp") return [];
    const { PrivatePort: privatePort, PublicPort: publicPort, IP: ip } = port;
    const isPublished = isPort(publicPort);
    return [
      { privatePort, ...(isPublished && { publicPort }), ...(typeof ip === "string" && ip !== "" && { ip }) },
    ];
  });
  const number = ({ privatePort, publicPort = 0 }: Port) => privatePort * 65_536 + publicPort;
  return ports.flat().toSorted((one, other) => number(one) - number(other));
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function hostsIn(name: string, settings: unknown): string[] {
  const networks = isObject(settings) && isObject(settings.Networks) ? Object.values(settings.Networks) : [];
  const hosts = networks
    .filter(isObject)
    .flatMap((network) => [
      ...[network.IPAddress, network.GlobalIPv6Address],
      ...[network.Aliases, network.DNSNames].flatMap((names) => (Array.isArray(names) ? names : [])),
    ]);
  return [name, ...hosts].filter((host) => typeof host === "string" && host !== "") as string[];
}

function readContainer(container: Container, { host, own }: Asked): { found: Found; faults: EntryFault[] } {
  const { id, name, state, labels } = container;
  const { isExcluded, fault } = enableOf(labels.get("stillup.enable"));
  const isOwn = /^[0-9a-f]{12,64}$/.test(own) && id.startsWith(own);
  const isLeftOut = isExcluded || isOwn;
  const faults: EntryFault[] = fault ? [{ entry: name, message: `stillup.enable ${fault}` }] : [];
  const entries = isLeftOut ? [] : entriesOf(container, host, faults);
  const found = {
    ...{ name, entries, isExcluded: isLeftOut, isRunning: RUNNING.has(state) },
    addresses: addressesOf(container, host),
    draft: containerDraft(container, host),
  };
  return { found, faults };
}

function entriesOf(container: Container, host: string, faults: EntryFault[]): FoundEntry[] {
  const published = container.ports.find(({ publicPort }) => publicPort !== undefined);
  const target: Target = { host, ...(published && { port: published.publicPort }) };
  return [...fieldsByName(container, faults)].flatMap(([name, fields]) => {
    const ref = `docker/${name}`;
    const { entry, fault } = buildEntry(fields, target);
    if (entry) return [{ ref, entry }];
    faults.push({ entry: ref, message: `in the labels of ${container.name}: ${fault}` });
    return [];
  });
}

/** The labels `stillup.NAME.FIELD` by name. */
function fieldsByName({ name, labels }: Container, faults: EntryFault[]): Map<string, TextField[]> {
  const byName = new Map<string, TextField[]>();
  for (const [label, text] of labels) {
    if (!label.startsWith("stillup.") || label === "stillup.enable") continue;
    const [, monitor = "", ...parts] = label.split(".");
    const fields = byName.get(monitor);
    if (!isLabelName(monitor) || parts.length === 0) faults.push({ entry: name, message: badLabel(label) });
    else if (fields) fields.push({ parts, text });
    else byName.set(monitor, [{ parts, text }]);
  }
  return byName;
}

function badLabel(label: string): string {
  const shown = truncate(oneLine(label), 100);
  return `the label ${shown} must be stillup.NAME.FIELD, with a NAME of 1 to 100 characters of a-z, 0-9, _ and -`;
}

/** Every host of the machine is the host of a port that is published on all addresses. */
const THIS_MACHINE = ["127.0.0.1", "localhost", "::1"];
const ANY_ADDRESS = ["", "0.0.0.0", "::"];

function addressesOf({ ports, hosts, labels }: Container, host: string): string[] {
  const addresses = new Set([...hosts, labels.get("com.docker.compose.service") ?? ""]);
  for (const { publicPort, ip = "" } of ports)
    if (publicPort !== undefined)
      for (const one of [host, ...(ANY_ADDRESS.includes(ip) ? THIS_MACHINE : [ip])])
        addresses.add(hostAndPort(one, publicPort));
  addresses.delete("");
  return [...new Set([...addresses].map((address) => address.toLowerCase()))];
}

/** The protocols whose port says what is spoken: by the port within the container. */
const WELL_KNOWN: Record<number, string> = {
  ...{ 21: "ftp", 22: "ssh", 25: "smtp", 110: "pop3", 143: "imap", 587: "smtp" },
  ...{ 3306: "mysql", 5432: "postgres", 6379: "redis" },
};
const WEB: Record<number, string> = {
  80: "http",
  443: "https",
  3000: "http",
  8000: "http",
  8080: "http",
  8443: "https",
};

/** A draft for the first published port, or for a port that only its networks reach (behavior 28.40). */
function containerDraft({ name, ports }: Container, host: string): object | null {
  const port = ports.find(({ publicPort }) => publicPort !== undefined) ?? ports[0];
  if (!port) return null;
  const { publicPort, privatePort } = port;
  const target = publicPort === undefined ? { host: name, port: privatePort } : { host, port: publicPort };
  const scheme = WEB[privatePort];
  if (scheme !== undefined)
    return draftOf(name, { url: `${scheme}://${hostAndPort(target.host, target.port)}/` });
  const protocol = WELL_KNOWN[privatePort];
  if (protocol === undefined) return draftOf(name, target);
  return { name, type: "TCP", config: { ...target, interval: 60, protocol } };
}
