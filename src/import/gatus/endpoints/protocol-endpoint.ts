import { isProtocolHeader } from "../../../domain/monitors/kinds/http.ts";
import { hostAndPort, timeoutField } from "../../check-fields.ts";
import { addressOf, bodyField, headersOf, MAX_REDIRECTS, METHODS } from "../../http-fields.ts";
import { recordOf, textOf } from "../../imported.ts";
import { isPlainHeader, resolved, secretText } from "../../output-config.ts";
import {
  type Comparison,
  type Healthy,
  readConditions,
  WITHOUT_BODY,
  WITHOUT_HTTP,
} from "../conditions/conditions.ts";
import { holds, INVALID } from "../conditions/evaluation.ts";
import { type HttpConditions, httpConditions } from "../conditions/http-conditions.ts";
import { booleanIn } from "../variables.ts";
import { type Access, accessOf, writtenAccess } from "./access.ts";
import { type Endpoint, isUnreachable, type Mapped, type Refusal } from "./endpoint.ts";

/* Endpoints whose counterpart is a monitor with `protocol`, which proves more than a connection (behavior 16.113). */

/** A ping. */
export function mapPing(endpoint: Endpoint): Mapped | Refusal {
  const target = hostAndPort(endpoint.url.replace(/^icmp:\/\//, ""), endpoint.env);
  if (!target || target.port !== undefined) return { refusal: "its URL is not of the form icmp://HOST" };
  const refusal = refusalIn(endpoint, WITHOUT_BODY);
  if (refusal) return refusal;
  const network = resolved(textOf(endpoint.client.network) ?? "ip", endpoint.env);
  if (network !== "ip")
    endpoint.omit("client.network", `it is ${network}; stillup pings what the name resolves to`);
  const config = {
    host: target.host,
    interval: endpoint.interval,
    protocol: "icmp",
    // Gatus sends one ping. By default, one reply of several is enough here.
    count: 1,
    ...timeoutField(endpoint),
  };
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

const SSH_PORT = 22;

/** Without a user, Gatus only waits for the first text of an SSH server. */
export function mapSsh(endpoint: Endpoint): Mapped | Refusal {
  const { url, env, interval, fields } = endpoint;
  if (Object.values(recordOf(fields.ssh)).some((value) => textOf(value) !== undefined))
    return { refusal: "stillup does not sign in by SSH" };
  const target = hostAndPort(url.replace(/^ssh:\/\//, ""), env);
  if (!target) return { refusal: "its URL is not of the form ssh://HOST:PORT" };
  const refusal = refusalIn(endpoint, WITHOUT_BODY);
  if (refusal) return refusal;
  const { host, port = SSH_PORT } = target;
  const config = { host, port, interval, protocol: "ssh", ...timeoutField(endpoint) };
  return { type: "TCP", config, isPaused: isUnreachable(endpoint) };
}

/** An HTTP monitor that opens a WebSocket. */
export function mapWebSocket(endpoint: Endpoint): Mapped | Refusal {
  if (!/^wss?:\/\//.test(endpoint.url))
    return { refusal: "its URL is a variable: write ws:// or wss:// in the file" };
  const refusal = refusalIn(endpoint, WITHOUT_HTTP);
  if (refusal) return refusal;
  if (endpoint.body !== "") endpoint.omit("body", "stillup sends a ping, and no text");
  const { url, user } = addressOf(endpoint.url.replace(/^ws/, "http"));
  const access: Access = user ? { basicAuth: { user: user.name, password: user.password } } : {};
  const config = {
    ...{ url, interval: endpoint.interval, protocol: "websocket" },
    ...headersField(endpoint, {
      hasSignIn: user !== undefined,
      isOwn: (name) => isProtocolHeader(name, "websocket"),
    }),
    ...writtenAccess(access, endpoint),
    ...timeoutField(endpoint),
    ...verifyTlsField(endpoint),
  };
  return { type: "HTTP", config, isPaused: isUnreachable(endpoint) };
}

/** An HTTP monitor that asks for the health of a gRPC server. */
export function mapGrpc(endpoint: Endpoint): Mapped | Refusal {
  const [, secure, authority] = /^grpc(s?):\/\/([^/?#@]+)\/?$/.exec(endpoint.url) ?? [];
  if (authority === undefined) return { refusal: "its URL is not of the form grpc://HOST:PORT" };
  const refusal = refusalIn(endpoint, SERVING);
  if (refusal) return refusal;
  if (endpoint.body !== "") endpoint.omit("body", "stillup asks for the health of the whole server");
  const config = {
    ...{ url: `http${secure}://${authority}`, interval: endpoint.interval, protocol: "grpc" },
    ...headersField(endpoint, { isOwn: (name) => isProtocolHeader(name, "grpc") }),
    ...timeoutField(endpoint),
    ...verifyTlsField(endpoint),
  };
  return { type: "HTTP", config, isPaused: isUnreachable(endpoint) };
}

/** Gatus writes the health as JSON, and shows it as a word in its documentation. */
const SERVING: Healthy = {
  ...{ ...WITHOUT_HTTP, BODY: (value) => value === "SERVING" || value === '{"status":"SERVING"}' },
  valueAt: (path) => (path === ".status" ? "SERVING" : INVALID),
};

/** The value of a placeholder in every answer of a healthy monitor. */
function onlyValue({ operand, operator }: Comparison, healthy: Healthy): string | undefined {
  const { name, path } = operand;
  if (path !== "") return healthy.valueAt?.(path);
  // An equality means one of the two forms, and is never met by the other form.
  if (name === "BODY" && healthy === SERVING) return operator === "==" ? "SERVING" : undefined;
  return ["true", "0"].find((value) => healthy[name]?.(value));
}

/** Reports the conditions that do not hold for every answer of a healthy monitor. */
function refusalIn({ conditions, env, omit }: Endpoint, healthy: Healthy): Refusal | undefined {
  const { omitted, refusal } = readConditions(conditions, {
    ...{ env, healthy },
    read: (condition) => {
      const value = onlyValue(condition, healthy);
      return value !== undefined && holds(condition, value, env)
        ? undefined
        : "stillup expects only that the server answers, in this protocol";
    },
  });
  if (refusal !== undefined) return { refusal };
  for (const { condition, why } of omitted) omit(`condition ${condition}`, why);
  return undefined;
}

function verifyTlsField({ client, env }: Endpoint): { verifyTls?: false } {
  return booleanIn(client.insecure, env) === true ? { verifyTls: false } : {};
}

/** An HTTP monitor, and one for the registration of the domain if there is a condition for it (behavior 16.111). */
export function mapHttp(endpoint: Endpoint): Mapped | Refusal {
  const parts = readHttp(endpoint);
  if ("refusal" in parts) return parts;
  const { request, access, verifyTls, isPaused, conditions } = parts;
  const { url, ...sent } = request;
  const domain = domainOf(url, conditions, endpoint);
  // Nothing but the registration matters then, which belongs to a TLS monitor.
  if (domain && isOnlyAboutDomain(endpoint)) return { type: "TLS", config: domain, isPaused };
  const { expect, ...others } = sent;
  const config = {
    ...{ url, interval: endpoint.interval },
    ...others,
    ...writtenAccess(access, endpoint),
    ...timeoutField(endpoint),
    ...(verifyTls ? {} : { verifyTls }),
    ...(conditions.expiryWarning !== undefined && { expiryWarning: conditions.expiryWarning }),
    ...(expect && { expect }),
  };
  return { type: "HTTP", config, ...(domain && { domain }), isPaused };
}

/** The request and the expectations of an endpoint with `http` or `https`. */
export interface HttpParts {
  /** The fields that a step can have too. Its secrets are written already. */
  request: { url: string; expect?: Record<string, unknown>; redirects?: number; [field: string]: unknown };
  access: Access;
  verifyTls: boolean;
  conditions: HttpConditions;
  isPaused: boolean;
}

/** @param place what names the secrets of its headers, beside the ref */
export function readHttp(endpoint: Endpoint, place: string[] = []): HttpParts | Refusal {
  const { fields, client, env, timeout } = endpoint;
  const method = resolved(textOf(fields.method) ?? "GET", env).toUpperCase();
  if (!METHODS.includes(method)) return { refusal: `stillup does not send ${method}` };
  const { url, user } = addressOf(endpoint.url);
  const isHttps = url.startsWith("https://");
  const conditions = httpConditions(endpoint.conditions, { env, timeout: timeout * 1000, isHttps });
  if (conditions.refusal !== undefined) return { refusal: conditions.refusal };
  for (const { condition, why } of conditions.omitted) endpoint.omit(`condition ${condition}`, why);
  for (const note of conditions.notes) endpoint.note(note);
  const { access, isPaused } = accessOf(endpoint);
  // In Gatus, a token replaces a header, and a header the user of the URL.
  if (user && !access.oauth2 && !hasAuthorization(endpoint))
    access.basicAuth = { user: user.name, password: user.password };
  // Go follows at most 10 redirects too.
  const redirects = booleanIn(client["ignore-redirect"], env) === true ? 0 : MAX_REDIRECTS;
  const request = {
    url,
    ...(method !== "GET" && { method }),
    ...headersField(endpoint, { hasSignIn: access.oauth2 !== undefined, place }),
    ...bodyField(sentBody(endpoint), method, endpoint.omit),
    ...(redirects > 0 && { redirects }),
    ...(conditions.expect && { expect: expectFor(method, conditions.expect, endpoint) }),
  };
  return {
    ...{ request, access, conditions },
    verifyTls: booleanIn(client.insecure, env) !== true,
    isPaused: isUnreachable(endpoint, { isHttp: true }) || isPaused,
  };
}

function hasAuthorization({ fields }: Endpoint): boolean {
  return Object.keys(recordOf(fields.headers)).some((name) => name.toLowerCase() === "authorization");
}

/** An endpoint for the expiration of a domain has no other purpose. */
function isOnlyAboutDomain({ conditions }: Endpoint): boolean {
  return conditions.length > 0 && conditions.every((one) => /^\s*\[DOMAIN_EXPIRATION\]/i.test(one));
}

interface HeaderPlace {
  /** Whether something else than a header signs in. */
  hasSignIn?: boolean;
  place?: string[];
  /** Whether the protocol sets a header itself. */
  isOwn?(name: string): boolean;
}

function headersField(
  { fields, omit, ref, secrets }: Endpoint,
  { hasSignIn = false, place = [], isOwn }: HeaderPlace = {},
): Record<string, unknown> {
  const given = Object.entries(recordOf(fields.headers)).map(
    ([name, value]) => [name, textOf(value) ?? ""] as const,
  );
  const write = (value: string, name: string) =>
    isPlainHeader(name) || isOnlyTaken(value) ? value : secretText(value, secrets, ref, ...place, name);
  const headers = headersOf(given, { hasBasicAuth: hasSignIn, omit, write, ...(isOwn && { isOwn }) });
  const hasType = given.some(([name]) => name.toLowerCase() === "content-type");
  if (booleanLike(fields.graphql) && !hasType) headers["Content-Type"] = "application/json";
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** Whether a value is one that a step took, such as `Bearer {{TOKEN}}`, so that there is no secret in it. */
function isOnlyTaken(value: string): boolean {
  return /^[A-Za-z]{0,20}[ =]?\{\{\w+\}\}$/.test(value);
}

function booleanLike(value: unknown): boolean {
  return value === true || value === "true";
}

function sentBody({ fields, body }: Endpoint): string {
  return booleanLike(fields.graphql) ? JSON.stringify({ query: body }) : body;
}

/** The answer to HEAD has no body. */
function expectFor(
  method: string,
  expect: Record<string, unknown>,
  { omit }: Endpoint,
): Record<string, unknown> {
  if (method !== "HEAD") return expect;
  const { contains, lacks, matches, json, ...others } = expect;
  if (contains ?? lacks ?? matches ?? json) omit("conditions for [BODY]", "an answer to HEAD has no body");
  return others;
}

/** The config of a TLS monitor for the registration of the domain. */
function domainOf(
  url: string,
  { registrationDays, expiryWarning }: Pick<HttpConditions, "registrationDays" | "expiryWarning">,
  { client, env, interval, omit }: Endpoint,
) {
  if (registrationDays === undefined) return undefined;
  if (booleanIn(client.insecure, env) === true)
    omit("client.insecure", "the TLS monitor for the domain verifies the certificate");
  const [, authority = ""] = /^https:\/\/([^/?#]*)/.exec(url) ?? [];
  const target = hostAndPort(authority, env);
  const registration = { warnDays: registrationDays };
  const warning = expiryWarning === undefined ? {} : { warnDays: expiryWarning };
  if (target) return { ...target, interval, ...warning, registration };
  omit("conditions for the domain", "the host or the port of the URL is not known");
  return undefined;
}
