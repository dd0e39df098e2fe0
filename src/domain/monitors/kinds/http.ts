import { type Static, Type } from "@sinclair/typebox";
import { AppError, invalid } from "../../../errors.ts";
import { checkTimeout } from "../../checks/check-slot.ts";
import { assertExpectations, Expectations } from "../../checks/expectation-rules.ts";
import { isIPv4, isIPv6 } from "../../network/client-address.ts";
import { fieldOf } from "../../schemas/field-name.ts";
import { HttpUrl } from "../../schemas/format.ts";
import { MASK } from "../../schemas/mask.ts";
import { changesHost, RequestHeaders } from "../../schemas/request-headers.ts";
import { described, hinted, named, oneOf } from "../../schemas/schema.ts";
import { assertRequestHeaders } from "../header-rules.ts";
import * as fields from "./fields.ts";

/** The config of an HTTP monitor: what is sent and what is expected (behavior 10.1 to 10.10). */
export const config = Type.Object(
  {
    url: hinted(HttpUrl, hintOfUrl),
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
    method: Type.Optional(oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
    headers: Type.Optional(RequestHeaders),
    body: Type.Optional(
      Type.String({
        format: "request-body",
        minLength: 1,
        description: "The request body, 1 byte to 64 KiB.",
      }),
    ),
    basicAuth: Type.Optional(
      Type.Object(
        {
          user: Type.String({ format: "user-name", maxLength: 1024 }),
          password: Type.String({ format: "password", description: "A response shows `•••`." }),
        },
        named("BasicAuth"),
      ),
    ),
    timeout: Type.Optional(fields.Timeout),
    redirects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: "How many redirects are followed. Default: 0.",
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
    expect: Type.Optional(Expectations),
  },
  named("HttpConfig"),
);
export type HttpConfig = Static<typeof config>;

/** A hint for a URL that is not accepted. */
function hintOfUrl(value: unknown): string | undefined {
  const url = URL.parse(String(value));
  if (url?.username) return "give them as basicAuth";
  const secure = { "ws:": "http", "wss:": "https" }[url?.protocol ?? ""];
  return secure && `write ${secure}:// and set config.protocol to websocket`;
}

/** Behavior 10.1 to 10.6, 20.6, 20.7. */
export function assertRules(config: HttpConfig): void {
  const { headers = {}, expect, method = "GET" } = config;
  assertUrl(config);
  fields.assertTimeout(config);
  assertProtocol(config);
  assertRequestHeaders(headers, "config.headers");
  assertNoSecondAuthorization(config);
  if (config.body !== undefined && (method === "GET" || method === "HEAD")) {
    throw new AppError(
      "invalid",
      `config.body must be left out with ${method}: set config.method, such as POST`,
    );
  }
  if (expect) assertExpectations(expect, { at: "config.expect", method, timeout: checkTimeout(config) });
}

const NOT_OF_WEBSOCKET = ["method", "body", "redirects", "expect"] as const;
const NOT_OF_GRPC = [...NOT_OF_WEBSOCKET, "basicAuth", "expiryWarning", "everyAddress"] as const;

/** A field that means nothing with its protocol is refused (behavior 20.6, 20.7). */
function assertProtocol(config: HttpConfig): void {
  const { protocol = "http", url, headers = {} } = config;
  if (protocol !== "grpc") fields.refuse(config, ["service"], "unless config.protocol is grpc");
  if (protocol !== "http") assertProtocolHeaders(headers, protocol);
  if (protocol === "websocket") fields.refuse(config, NOT_OF_WEBSOCKET, "with the protocol websocket");
  if (protocol !== "grpc") return;
  fields.refuse(config, NOT_OF_GRPC, "with the protocol grpc");
  const { pathname, search } = new URL(url);
  if (pathname !== "/" || search !== "")
    throw invalid("config.url must have no path with the protocol grpc: set config.service for a service");
}

/** A URL can have port 0, to which nothing can connect, and an IP address of the other family (behavior 10.10). */
function assertUrl({ url, ipFamily, expiryWarning }: HttpConfig): void {
  const { protocol, hostname, port } = new URL(url);
  if (port === "0") throw new AppError("invalid", "config.url must have a port from 1 to 65535, got 0");
  if (expiryWarning !== undefined && protocol === "http:") {
    throw new AppError(
      "invalid",
      "config.expiryWarning must be left out with an http URL, which has no certificate",
    );
  }
  const isOther = ipFamily === 4 ? isIPv6(hostname.replace(/^\[|\]$/g, "")) : isIPv4(hostname);
  if (ipFamily !== undefined && isOther) {
    const family = `an address of IPv${ipFamily}`;
    throw new AppError(
      "invalid",
      `config.ipFamily must fit the IP address in config.url, which is not ${family}`,
    );
  }
}

function assertNoSecondAuthorization({ headers = {}, basicAuth }: HttpConfig): void {
  if (basicAuth && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) {
    throw new AppError("invalid", "config.basicAuth must be left out if config.headers has Authorization");
  }
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
  throw invalid(
    `${fieldOf("config.headers", name)} must be left out with the protocol ${protocol}, which sets it itself`,
  );
}

/**
 * Replaces each `•••` in a submitted config of an HTTP monitor by the stored secret (behavior 10.28). The config is not
 * validated yet.
 *
 * @param stored nothing if the monitor does not exist yet
 * @throws AppError `invalid` if a secret is not stored, or if the origin of the URL or the header `Host` changes
 */
export function restore(config: unknown, stored: object | undefined): unknown {
  if (!fields.isObject(config)) return config;
  const known = stored && "url" in stored ? (stored as HttpConfig) : undefined;
  const restored = (value: unknown, secret: string | undefined, field: string): unknown => {
    if (value !== MASK) return value;
    if (secret === undefined) throw fields.missing(field, "none is stored");
    if (isOtherOrigin(config.url, known?.url))
      throw fields.missing(field, "the origin of config.url changes");
    if (changesHost(config.headers, known?.headers)) throw fields.missing(field, "the header Host changes");
    return secret;
  };
  const { headers, basicAuth } = config;
  return {
    ...config,
    ...(fields.isObject(headers) && {
      headers: fields.mapFields(headers, (value, name) =>
        restored(value, headerOf(known, name), fieldOf("config.headers", name)),
      ),
    }),
    ...(fields.isObject(basicAuth) && {
      basicAuth: fields.mapFields(basicAuth, (value, name) =>
        name === "password"
          ? restored(value, known?.basicAuth?.password, "config.basicAuth.password")
          : value,
      ),
    }),
  };
}

/** An invalid URL is no other origin: its own error is reported later. */
function isOtherOrigin(url: unknown, stored: string | undefined): boolean {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed !== null && stored !== undefined && parsed.origin !== new URL(stored).origin;
}

/** The value of a header, whose name ignores case. */
function headerOf(config: HttpConfig | undefined, name: string): string | undefined {
  return Object.entries(config?.headers ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

const certificate: fields.Entry = {
  summary: "Certificate",
  entries: [{ widget: "expiry", name: "expiryWarning" }, fields.anyCertificate],
};
const connection: fields.Entry = {
  summary: "Connection",
  entries: [fields.timeout, fields.ipVersion, fields.everyAddress],
};

export const forms = {
  HTTP: [
    { widget: "website", name: "url" },
    {
      summary: "What counts as up",
      entries: [
        { widget: "statuses", name: "expect.status" },
        {
          name: "redirects",
          label: "Follow … redirects",
          kind: "number",
          initial: "5",
          hint: "Up to 10. The last answer is judged; one redirect too many is Down. If empty, none is followed.",
        },
        {
          name: "expect.contains",
          label: "The body contains",
          kind: "texts",
          hint: "One text on each line, with upper and lower case as in the body. Down if one of them is missing.",
          rows: 2,
        },
        {
          name: "expect.lacks",
          label: "The body does not contain",
          kind: "texts",
          hint: "One text on each line. Down if the body has one of them.",
          rows: 2,
        },
        { widget: "json", name: "expect.json" },
        { widget: "expected-headers", name: "expect.headers" },
        {
          name: "expect.complete",
          label: "The body must arrive whole",
          kind: "switch",
          hint: "Down if it breaks off. Up to 16 MiB are read at each check. Not for HEAD.",
        },
        {
          name: "expect.within",
          label: "Degraded above … ms",
          kind: "number",
          hint: "A slower answer is Degraded, never Down. The baseline of the monitor counts also.",
        },
      ],
    },
    {
      summary: "Request",
      entries: [
        {
          name: "method",
          label: "Method",
          kind: "choice",
          choices: [
            { label: "GET" },
            ...fields.valuesAsLabels(["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
          ],
          isShort: true,
        },
        { widget: "headers", name: "headers" },
        {
          name: "body",
          label: "Body",
          kind: "text-area",
          hint: "Sent as it is, as JSON if it is JSON and no header says otherwise. Not for GET and HEAD.",
          isExact: true,
        },
        fields.signIn,
      ],
    },
    certificate,
    connection,
  ],
  WEBSOCKET: [
    { widget: "website", name: "url" },
    { summary: "Request", entries: [{ widget: "headers", name: "headers" }, fields.signIn] },
    certificate,
    connection,
  ],
  GRPC: [
    { widget: "website", name: "url" },
    {
      name: "service",
      label: "Service",
      example: "shop.Cart",
      hint: "If empty: the whole server.",
    },
    { summary: "Request", entries: [{ widget: "headers", name: "headers" }] },
    { summary: "Connection", entries: [fields.timeout, fields.ipVersion, fields.anyCertificate] },
  ],
} satisfies Record<string, readonly fields.Entry[]>;
