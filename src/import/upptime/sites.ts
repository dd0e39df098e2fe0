import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { isIPv4, isIPv6 } from "../../domain/network/client-address.ts";
import { hostAndPort, portOf, timeoutField, timeoutOf } from "../check-fields.ts";
import {
  addressOf,
  bodyField,
  headersOf,
  isCode,
  MAX_REDIRECTS,
  METHODS,
  statusEntries,
} from "../http-fields.ts";
import { listOf, type ReportOmission, textOf } from "../imported.ts";
import { type Environment, isPlainHeader, type Secrets, secretText } from "../output-config.ts";
import { changingPart, written } from "./variables.ts";

/** A site of Upptime, with what its monitor needs. */
export interface Site {
  /** The ref of its monitor. */
  ref: string;
  fields: Record<string, unknown>;
  /** Seconds. */
  interval: number;
  env: Environment;
  /** The only secrets that Upptime knows; undefined if the file does not list them. */
  known: ReadonlySet<string> | undefined;
  secrets: Secrets;
  omit: ReportOmission;
  /** A sentence about what was taken over. */
  note: (sentence: string) => void;
}

export interface Mapped {
  type: MonitorType;
  config: Record<string, unknown>;
}

export interface Refusal {
  refusal: string;
  /** If stillup has no monitors of that type. */
  type?: string;
}

/** By the value of `check`. Every other value is `http`. */
const CHECKS = new Map<string, (site: Site) => Mapped | Refusal>([
  ["tcp-ping", mapConnection],
  ["ws", mapWebSocket],
  ["ssl", mapCertificate],
]);

/** The fields that a check uses, besides the fields of every site. */
const USED: Record<string, readonly string[]> = {
  http: [
    ...["method", "headers", "body", "expectedStatusCodes", "maxResponseTime", "maxRedirects", "maxRetries"],
    ...["connectTimeout", "requestTimeout", "__dangerous__insecure", "__dangerous__disable_verify_peer"],
    ...["__dangerous__disable_verify_host", "__dangerous__body_down", "__dangerous__body_degraded"],
    ...["__dangerous__body_down_if_text_missing", "__dangerous__body_degraded_if_text_missing"],
  ],
  "tcp-ping": ["port", "ipv6", "maxResponseTime", "maxRetries"],
  ws: ["body"],
  ssl: ["port"],
};

/** The fields that a request from Globalping uses too. */
const REMOTE = ["port", "ipv6"];

/** The fields that every site has. The fields for the page of Upptime are reported once for the whole file. */
const COMMON = [
  ...["name", "url", "check", "type", "location", "slug", "tags", "icon", "assignees", "verbose"],
];

/** The monitor of a site (behavior 16.123). */
export function mapSite(site: Site): Mapped | Refusal {
  const { fields, omit } = site;
  const check = textOf(fields.check) ?? "http";
  const map = CHECKS.get(check) ?? mapHttp;
  if (map === mapHttp && check !== "http")
    omit(
      "check",
      `Upptime does not know ${JSON.stringify(check)}, and sends a request of HTTP, as stillup does`,
    );
  if (textOf(fields.url)?.trim() === undefined) return { refusal: "it has no url" };
  const isRemote = fields.type === "globalping";
  if (isRemote)
    omit("type", "stillup asks no other network: it checks from its server, or from locations of your own");
  const mapped = map(site);
  if ("refusal" in mapped) return mapped;
  omitFields(site, map === mapHttp ? "http" : check);
  return mapped;
}

function omitFields({ fields, omit }: Site, check: string): void {
  const isRemote = fields.type === "globalping" && check !== "tcp-ping";
  const used = [...COMMON, ...(USED[check] ?? []), ...(isRemote ? REMOTE : [])];
  const known = new Set([...COMMON, ...Object.values(USED).flat()]);
  for (const name of Object.keys(fields)) {
    if (used.includes(name)) continue;
    omit(
      name,
      known.has(name) ? `Upptime does not use it with ${check}` : "Upptime does not know this field",
    );
  }
  if (fields.maxRetries !== undefined && used.includes("maxRetries"))
    omit("maxRetries", "two further checks confirm a failure, as in Upptime, and each is one attempt");
}

function textIn({ fields, known }: Site, name: string): string {
  return written((textOf(fields[name]) ?? "").trim(), known);
}

function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

/** curl sends this if there is a body and no header says otherwise. */
const FORM = "application/x-www-form-urlencoded";

const REDIRECTS = 3;
/** Seconds. */
const TIMEOUT = 60;
/** Globalping has no other. */
const REMOTE_TIMEOUT = 10;

function mapHttp(site: Site): Mapped | Refusal {
  const { fields, interval, omit } = site;
  const isRemote = fields.type === "globalping";
  const target = targetOf(site);
  if ("refusal" in target) return target;
  const method = (textOf(fields.method) ?? "GET").toUpperCase();
  if (!METHODS.includes(method)) return { refusal: `stillup does not send ${method}` };
  const statuses = statusesOf(site);
  if ("refusal" in statuses) return statuses;
  const timeout = isRemote
    ? timeoutOf(REMOTE_TIMEOUT, { interval, omit })
    : timeoutOf(numberOf(fields.requestTimeout) ?? TIMEOUT, { interval, omit, what: "requestTimeout" });
  const redirects = isRemote ? 0 : redirectsOf(site);
  const { url, basicAuth } = target;
  const body = isRemote ? {} : bodyField(bodyOf(site), method, omit);
  const config = {
    ...{ url, interval },
    ...(method !== "GET" && { method }),
    ...headersField(site, { hasBasicAuth: basicAuth !== undefined, hasBody: "body" in body }),
    ...body,
    ...(basicAuth && { basicAuth }),
    ...timeoutField({ timeout, interval }),
    ...(redirects > 0 && { redirects }),
    ...verifyField(site),
    ...(isRemote && familyField(site, url)),
    expect: { ...statuses, ...textsOf(site, method), ...withinField(site, timeout) },
  };
  if (isTrue(fields.connectTimeout)) omit("connectTimeout", "the timeout is for the whole check");
  return { type: "HTTP", config };
}

/** curl guesses the protocol of a host with such a name. */
const GUESSED = /^(ftp|dict|ldap|imap|smtp|pop3)\./i;

interface Target {
  url: string;
  basicAuth?: { user: string; password: string };
}

function targetOf(site: Site): Target | Refusal {
  const { fields, secrets, ref, omit, note } = site;
  const isRemote = fields.type === "globalping";
  const given = textIn(site, "url");
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given) ?? [];
  const guessed = (scheme === "" && GUESSED.exec(given)?.[1]) || scheme;
  if (!/^(https?)?$/i.test(guessed))
    return { refusal: `stillup sends no request of ${guessed.toLowerCase()}`, type: guessed.toLowerCase() };
  const changing = changingPart(given);
  if (changing) omit("url", `stillup sends $${changing} as it is written`);
  const isOpen = scheme === "" && given.startsWith("${");
  const usual = isRemote ? "https" : "http";
  if (scheme === "" && !isOpen) note(`a URL without http:// or https:// is one of ${usual}, as in Upptime`);
  const { url, user } = addressOf(scheme === "" && !isOpen ? `${usual}://${given}` : given);
  const address = isRemote ? withPort(url, site) : url;
  if (!user) return { url: address };
  return {
    url: address,
    basicAuth: { user: user.name, password: secretText(user.password, secrets, ref, "password") },
  };
}

/** Globalping takes the port from the field. */
function withPort(url: string, { fields, env }: Site): string {
  const port = portOf(textOf(fields.port) ?? "", env);
  return port === undefined
    ? url
    : url.replace(/^(https?:\/\/(?:\[[^\]]*\]|[^:/?#]*))(:\d+)?/i, `$1:${port}`);
}

function headersField(
  { fields, known, omit, secrets, ref }: Site,
  { hasBasicAuth, hasBody }: { hasBasicAuth: boolean; hasBody: boolean },
): { headers?: Record<string, string> } {
  const lines = listOf(fields.headers).flatMap((line) => {
    const [, name, value = ""] = /^\s*([^:;\s]+)\s*[:;]\s*(.*?)\s*$/s.exec(textOf(line) ?? "") ?? [];
    if (name !== undefined && value !== "") return [[name, written(value, known)] as const];
    const shown = name === undefined ? "" : ` ${name}`;
    omit(`header${shown}`, "it has no name or no value, such as in Accept: text/html");
    return [];
  });
  if (fields.headers !== undefined && fields.headers !== null && !Array.isArray(fields.headers))
    omit("headers", "they are not a list of texts such as Accept: text/html");
  const write = (value: string, name: string) =>
    isPlainHeader(name) ? value : secretText(value, secrets, ref, name);
  const headers = headersOf(lines, { hasBasicAuth, omit, write });
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  if (hasBody && !hasType) headers["Content-Type"] = FORM;
  return Object.keys(headers).length > 0 ? { headers } : {};
}

function bodyOf({ fields, known, omit }: Site): string {
  const body = textOf(fields.body) ?? "";
  const changing = changingPart(body);
  if (changing) omit("body", `stillup sends $${changing} as it is written`);
  return written(body, known);
}

/** Upptime follows 3 redirects. */
function redirectsOf({ fields, omit }: Site): number {
  const wanted = Number.isInteger(fields.maxRedirects) ? Number(fields.maxRedirects) : REDIRECTS;
  if (wanted >= 0 && wanted <= MAX_REDIRECTS) return wanted;
  omit("maxRedirects", `it is ${wanted}, and the most here are ${MAX_REDIRECTS}, which it follows`);
  return MAX_REDIRECTS;
}

function verifyField({ fields, omit }: Site): { verifyTls?: false } {
  const names = ["insecure", "disable_verify_peer", "disable_verify_host"];
  const given = names.filter((name) => isTrue(fields[`__dangerous__${name}`]));
  if (fields.type === "globalping") return { verifyTls: false };
  if (given.length === 0) return {};
  const [first, ...others] = given;
  if (first !== "insecure" && others.length === 0)
    omit(
      `__dangerous__${first}`,
      "verifyTls: false verifies neither the chain nor the name of a certificate",
    );
  return { verifyTls: false };
}

/** Globalping uses IPv4, unless the site says otherwise. An IP address decides it itself. */
function familyField({ fields }: Site, url: string): { ipFamily?: 4 | 6 } {
  const host = URL.parse(url)?.hostname ?? "";
  if (isIPv4(host) || host.startsWith("[")) return {};
  return { ipFamily: isTrue(fields.ipv6) ? 6 : 4 };
}

/** The status codes that are up in Upptime, unless a site says otherwise. */
const USUAL_CODES = ["200-208", 226, "300-308"];

function statusesOf({ fields, omit }: Site): { status: (string | number)[] } | Refusal {
  const given = fields.expectedStatusCodes;
  if (!isTrue(given)) return { status: [...USUAL_CODES] };
  const list = Array.isArray(given) ? given : [given];
  const codes = list.map(Number);
  if (codes.includes(0))
    return { refusal: "it is up while nothing answers: stillup has no such expectation" };
  const status = statusEntries(new Set(codes.filter(isCode)));
  const lost = list.filter((_, at) => !isCode(codes[at] ?? Number.NaN));
  const why = `an answer has a status from 200 to 599 here, and not ${lost.join(", ")}`;
  if (!status)
    return { refusal: lost.length === list.length ? why : "it expects more than 20 status codes and ranges" };
  if (lost.length > 0) omit("expectedStatusCodes", why);
  return { status };
}

const DEGRADED =
  "a body makes a monitor Down here, and never Degraded: write expect.contains or expect.lacks";

function textsOf(site: Site, method: string): Record<string, string> {
  const { fields, omit } = site;
  const given = (name: string) => {
    const field = `__dangerous__body_${name}`;
    const text = textOf(fields[field]) ?? "";
    if (text === "") return {};
    const target = { down: "lacks", down_if_text_missing: "contains" }[name];
    if (target === undefined) omit(field, DEGRADED);
    else if (method === "HEAD") omit(field, "an answer to HEAD has no body");
    else {
      if (/^(HTTP\/|[\w-]+:\s)/i.test(text))
        omit(field, "Upptime looks in the headers too, and stillup in the body");
      return { [target]: written(text, site.known) };
    }
    return {};
  };
  return {
    ...given("down_if_text_missing"),
    ...given("down"),
    ...given("degraded"),
    ...given("degraded_if_text_missing"),
  };
}

/** A slower answer than the timeout is down anyway. */
function withinField({ fields, omit }: Site, timeout: number): { within?: number } {
  const given = numberOf(fields.maxResponseTime);
  if (given === undefined || given >= timeout * 1000) return {};
  const within = Math.max(1, Math.round(given));
  if (within !== given) omit("maxResponseTime", `it is ${given} ms; it is ${within} ms here`);
  return { within };
}

/** A positive number, which may be written as a text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

/** Seconds that Upptime waits for a connection. */
const CONNECTION_TIMEOUT = 5;
const USUAL_PORT = 80;

/** `tcp-ping` opens connections; from Globalping, it sends pings. */
function mapConnection(site: Site): Mapped | Refusal {
  const { fields, interval, omit } = site;
  const isRemote = fields.type === "globalping";
  const target = hostOf(site, isRemote);
  if (typeof target !== "string") return target;
  if (numberOf(fields.maxResponseTime) !== undefined)
    omit("maxResponseTime", "a TCP monitor has no highest response time");
  if (isRemote) return { type: "TCP", config: { host: target, interval, protocol: "icmp" } };
  const port = portIn(site, USUAL_PORT);
  if (typeof port !== "number") return port;
  const isName = !isIPv4(target) && !isIPv6(target);
  const needsAll = isTrue(fields.ipv6) && isName;
  if (needsAll)
    omit(
      "ipv6",
      "a TCP monitor has no version of IP: each address is checked, and one that fails is Degraded",
    );
  const timeout = timeoutOf(CONNECTION_TIMEOUT, { interval, omit });
  const config = {
    ...{ host: target, port, interval },
    ...timeoutField({ timeout, interval }),
    ...(needsAll && { everyAddress: true }),
  };
  return { type: "TCP", config };
}

/** @param isUrl whether a URL is as good as a host */
function hostOf(site: Site, isUrl: boolean): string | Refusal {
  const given = textIn(site, "url");
  const address = isUrl ? given.replace(/^https?:\/\/([^/?#]*).*$/is, "$1").replace(/:\d+$/, "") : given;
  const bare = isIPv6(address) ? `[${address}]` : address;
  const target = hostAndPort(bare, site.env);
  if (target && target.port === undefined) return target.host;
  return { refusal: "its url is not a host or an IP address, so that it is always down in Upptime" };
}

function portIn(site: Site, usual: number): number | Refusal {
  const given = textIn(site, "port");
  if (given === "") return usual;
  return (
    portOf(given, site.env) ?? {
      refusal: given.includes("${")
        ? "its port is a variable that is not set: set it for the import too"
        : "its port is not a number from 1 to 65535",
    }
  );
}

/** `ws` is up if the WebSocket opens. */
function mapWebSocket(site: Site): Mapped | Refusal {
  const { fields, interval, omit, secrets, ref } = site;
  if (fields.type === "globalping") return { refusal: "Upptime has no check of a WebSocket from Globalping" };
  const given = textIn(site, "url");
  if (!/^(ws|http)s?:\/\//i.test(given))
    return {
      refusal: given.startsWith("${")
        ? "its url is a variable: write ws:// or wss:// in the file"
        : "its url is not of the form wss://HOST",
    };
  if (textOf(fields.body) !== undefined) omit("body", "stillup sends a ping, and no text");
  const { url, user } = addressOf(given.replace(/^ws/i, "http"));
  const timeout = timeoutOf(TIMEOUT, { interval, omit });
  const config = {
    ...{ url, interval, protocol: "websocket" },
    ...(user && {
      basicAuth: { user: user.name, password: secretText(user.password, secrets, ref, "password") },
    }),
    ...timeoutField({ timeout, interval }),
  };
  return { type: "HTTP", config };
}

/** Days before the end of a certificate at which Upptime calls a site down. */
const WARN_DAYS = 7;
const HTTPS_PORT = 443;

/** `ssl` is a certificate that is valid for 7 more days. */
function mapCertificate(site: Site): Mapped | Refusal {
  const host = hostOf(site, site.fields.type === "globalping");
  if (typeof host !== "string") return host;
  const port = portIn(site, HTTPS_PORT);
  if (typeof port !== "number") return port;
  site.note(`a certificate that ends in ${WARN_DAYS} days is Expires soon, a warning; Upptime calls it down`);
  const config = {
    ...{ host, ...(port !== HTTPS_PORT && { port }) },
    ...{ interval: site.interval, warnDays: WARN_DAYS },
  };
  return { type: "TLS", config };
}
