import { type Static, Type } from "@sinclair/typebox";
import { checkTimeout } from "../../checks/check-slot.ts";
import { fault, type Hint, hint } from "../../faults/fault.ts";
import { isIPv4, isIPv6 } from "../../network/client-address.ts";
import { fieldOf } from "../../schemas/field-name.ts";
import { HttpUrl } from "../../schemas/format.ts";
import { described, hinted, named, oneOf } from "../../schemas/schema.ts";
import { parse } from "../../schemas/validation.ts";
import * as fields from "./fields.ts";
import { accessFields, assertAccess } from "./http-access.ts";
import { assertRequest, assertSteps, requestFields, Steps } from "./http-steps.ts";
import { firstUrlOf } from "./http-target.ts";

/** The config of an HTTP monitor: what is sent and what is expected (behavior 10.1 to 10.10). */
export const config = Type.Object(
  {
    url: Type.Optional(hinted(HttpUrl, hintOfUrl)),
    interval: fields.Interval,
    protocol: Type.Optional(
      described(oneOf(["http", "websocket", "grpc"]), "What is spoken. Default: `http`."),
    ),
    service: Type.Optional(
      Type.String({
        maxLength: 256,
        description: "With `grpc`: the check asks for the health of this service. Default: the whole server.",
      }),
    ),
    ...requestFields,
    basicAuth: Type.Optional(
      Type.Object(
        {
          user: Type.String({ format: "user-name", maxLength: 1024 }),
          password: Type.String({ format: "password", description: "A response shows `•••`." }),
        },
        named("BasicAuth"),
      ),
    ),
    ...accessFields,
    steps: Type.Optional(Steps),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 120,
        description:
          "Seconds that a check may take, at most `interval`, and at most 60 without `steps`. Default: 10, or `interval` if that is less.",
      }),
    ),
    verifyTls: Type.Optional(fields.VerifyTls),
    expiryWarning: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description:
          "How many days before the end of its certificate the monitor becomes degraded. Only with an `https` URL. Default: never.",
      }),
    ),
    ipFamily: Type.Optional(
      Type.Union([Type.Literal(4), Type.Literal(6)], {
        description: "The only version of IP to use. Default: both.",
      }),
    ),
    everyAddress: Type.Optional(fields.EveryAddress),
  },
  named("HttpConfig"),
);
export type HttpConfig = Static<typeof config>;

/** A hint for a URL that is not accepted. */
function hintOfUrl(value: unknown): Hint | undefined {
  const url = URL.parse(String(value));
  if (url?.username) return hint("urlWithUser", {});
  const scheme = { "ws:": "http", "wss:": "https" }[url?.protocol ?? ""];
  return scheme === undefined ? undefined : hint("urlOfWebSocket", { scheme });
}

/** Behavior 10.1 to 10.6, 20.6, 20.7, 26.1, 26.3. */
export function assertRules(config: HttpConfig): void {
  if (config.url === undefined && !config.steps) throw fault("required", { field: "config.url" });
  if (config.steps) assertSteps(config);
  else if (config.timeout !== undefined) parse(fields.Timeout, config.timeout, "config.timeout");
  assertUrls(config);
  fields.assertTimeout(config);
  assertProtocol(config);
  assertRequest(config, { at: "config", timeout: checkTimeout(config) });
  assertAccess(config);
}

const NOT_OF_WEBSOCKET = [
  ...["method", "body", "redirects", "expect", "steps"],
  ...["clientCertificate", "proxy", "digestAuth", "oauth2"],
] as const;
const NOT_OF_GRPC = [...NOT_OF_WEBSOCKET, "basicAuth", "expiryWarning", "everyAddress"] as const;

/** A field that means nothing with its protocol is refused (behavior 20.6, 20.7). */
function assertProtocol(config: HttpConfig): void {
  const { protocol = "http", headers = {} } = config;
  if (protocol !== "grpc")
    fields.refuse(config, ["service"], (field) => fault("onlyWithProtocol", { field, protocol: "grpc" }));
  if (protocol !== "http") assertProtocolHeaders(headers, protocol);
  if (protocol === "websocket") fields.refuse(config, NOT_OF_WEBSOCKET, notWith(protocol));
  if (protocol !== "grpc") return;
  fields.refuse(config, NOT_OF_GRPC, notWith(protocol));
  const { pathname, search } = new URL(firstUrlOf(config));
  if (pathname !== "/" || search !== "") throw fault("grpcPath", { field: "config.url" });
}

function notWith(protocol: string) {
  return (field: string) => fault("notWithProtocol", { field, protocol });
}

/** Behavior 10.10. */
function assertUrls(config: HttpConfig): void {
  const urls = config.steps?.map(({ url }, at) => ({ url, at: `config.steps.${at}.url` }));
  for (const { url, at } of urls ?? [{ url: firstUrlOf(config), at: "config.url" }])
    assertUrl(config, url, at);
  if (config.oauth2) assertUrl(config, config.oauth2.tokenUrl, "config.oauth2.tokenUrl");
  if (config.expiryWarning !== undefined && URL.parse(firstUrlOf(config))?.protocol === "http:")
    throw fault("expiryWithoutTls", { field: "config.expiryWarning" });
}

/** A URL can have port 0, to which nothing can connect, and an IP address of the other family. */
function assertUrl({ ipFamily }: Pick<HttpConfig, "ipFamily">, url: string, at: string): void {
  const { hostname, port } = new URL(url);
  if (port === "0") throw fault("portZero", { field: at });
  const isOther = ipFamily === 4 ? isIPv6(hostname.replace(/^\[|\]$/g, "")) : isIPv4(hostname);
  if (ipFamily !== undefined && isOther)
    throw fault("otherFamily", { field: "config.ipFamily", other: at, version: ipFamily });
}

/** Names of headers that a protocol sets itself, or that mean something else in it. In lower case. */
const RESERVED = {
  websocket: /^(upgrade|sec-websocket-(?!protocol$).*)$/,
  grpc: /^(te|content-type|upgrade|keep-alive|proxy-connection|http2-settings|grpc-.*)$/,
};

/** Whether a protocol sets a header itself (behavior 20.50, 20.60). `Sec-WebSocket-Protocol` asks for subprotocols. */
export function isProtocolHeader(name: string, protocol: keyof typeof RESERVED): boolean {
  return RESERVED[protocol].test(name.toLowerCase());
}

function assertProtocolHeaders(headers: Record<string, string>, protocol: keyof typeof RESERVED): void {
  const name = Object.keys(headers).find((one) => isProtocolHeader(one, protocol));
  if (name === undefined) return;
  throw fault("headerOfProtocol", { field: fieldOf("config.headers", name), protocol });
}
