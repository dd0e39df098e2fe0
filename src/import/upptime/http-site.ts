import { isIPv4 } from "../../domain/network/client-address.ts";
import { portOf, timeoutField, timeoutOf } from "../check-fields.ts";
import {
  addressOf,
  bodyField,
  headersOf,
  isCode,
  MAX_REDIRECTS,
  METHODS,
  statusEntries,
} from "../http-fields.ts";
import { listOf, textOf } from "../imported.ts";
import { isPlainHeader, secretText } from "../output-config.ts";
import { isTrue, type Mapped, numberOf, type Refusal, type Site, textIn, USUAL_TIMEOUT } from "./site.ts";
import { changingPart, written } from "./variables.ts";

/** curl sends this if there is a body and no header says otherwise. */
const FORM = "application/x-www-form-urlencoded";

const REDIRECTS = 3;
/** Seconds. Globalping has no other. */
const REMOTE_TIMEOUT = 10;

/** A request of HTTP (behavior 16.123). */
export function mapHttp(site: Site): Mapped | Refusal {
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
    : timeoutOf(numberOf(fields.requestTimeout) ?? USUAL_TIMEOUT, { interval, omit, what: "requestTimeout" });
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
  if (!isRemote && isTrue(fields.connectTimeout))
    omit("connectTimeout", "the timeout is for the whole check");
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
  const why = `an answer has a status from 200 to 999 here, and not ${lost.join(", ")}`;
  if (!status)
    return { refusal: lost.length === list.length ? why : "it expects more than 20 status codes and ranges" };
  if (lost.length > 0) omit("expectedStatusCodes", why);
  return { status };
}

/** Texts such as `302 Found` and `Location: /error`. */
const IN_HEADERS = /^(HTTP\/|[\w-]+:\s|[1-5]\d\d\s[A-Z])/i;

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
      if (IN_HEADERS.test(text)) omit(field, "Upptime looks in the headers too, and stillup in the body");
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
