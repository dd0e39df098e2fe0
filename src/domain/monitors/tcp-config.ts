import { type Static, Type } from "@sinclair/typebox";
import { AppError, invalid } from "../../errors.ts";
import { checkTimeout } from "../checks/check-slot.ts";
import { assertExpectations, Expectations, ExpectedText } from "../checks/expectation-rules.ts";
import { isIPv4, isIPv6 } from "../network/client-address.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { Host, HostName, HttpUrl } from "../schemas/format.ts";
import { RequestHeaders } from "../schemas/request-headers.ts";
import { described, hinted, named, oneOf } from "../schemas/schema.ts";
import { assertRequestHeaders } from "./header-rules.ts";

export const Interval = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: "Seconds between two checks.",
});

const Timeout = Type.Integer({
  minimum: 1,
  maximum: 60,
  description:
    "Seconds that a check may take, at most `interval`. Default: 10, or `interval` if that is less.",
});

const VerifyTls = Type.Boolean({
  description: "Whether the certificate must be valid. Default: true.",
});

export const EveryAddress = Type.Boolean({
  description:
    "Whether each address of the host is checked, at most 6. If only some of them fail, the monitor is degraded " +
    "(TLS: as bad as the others are). Default: false, and the first address that answers counts.",
});

/** The config of an HTTP monitor: what is sent and what is expected (behavior 10.1 to 10.10). */
export const HttpConfig = Type.Object(
  {
    url: hinted(HttpUrl, hintOfUrl),
    interval: Interval,
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
    timeout: Type.Optional(Timeout),
    redirects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: "How many redirects are followed. Default: 0.",
      }),
    ),
    verifyTls: Type.Optional(VerifyTls),
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
    everyAddress: Type.Optional(EveryAddress),
    expect: Type.Optional(Expectations),
  },
  named("HttpConfig"),
);
export type HttpConfig = Static<typeof HttpConfig>;

/** A hint for a URL that is not accepted. */
function hintOfUrl(value: unknown): string | undefined {
  const url = URL.parse(String(value));
  if (url?.username) return "give them as basicAuth";
  const secure = { "ws:": "http", "wss:": "https" }[url?.protocol ?? ""];
  return secure && `write ${secure}:// and set config.protocol to websocket`;
}

/** Behavior 10.1 to 10.6, 20.6, 20.7. */
export function assertHttpConfig(config: HttpConfig): void {
  const { headers = {}, expect, method = "GET" } = config;
  assertUrl(config);
  assertTimeout(config);
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
  if (protocol !== "grpc") refuse(config, ["service"], "unless config.protocol is grpc");
  if (protocol !== "http") assertProtocolHeaders(headers, protocol);
  if (protocol === "websocket") refuse(config, NOT_OF_WEBSOCKET, "with the protocol websocket");
  if (protocol !== "grpc") return;
  refuse(config, NOT_OF_GRPC, "with the protocol grpc");
  const { pathname, search } = new URL(url);
  if (pathname !== "/" || search !== "")
    throw invalid("config.url must have no path with the protocol grpc: set config.service for a service");
}

/** Behavior 10.6. */
function assertTimeout({ interval, timeout }: { interval: number; timeout?: number }): void {
  if (timeout === undefined || timeout <= interval) return;
  throw new AppError(
    "invalid",
    `config.timeout must be at most config.interval, ${interval} s, got ${timeout}`,
  );
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

/** Refuses fields that mean nothing with the others. @param when for example `with the protocol icmp` */
function refuse<T extends object>(config: T, fields: readonly (keyof T & string)[], when: string): void {
  const given = fields.find((field) => config[field] !== undefined);
  if (given) throw invalid(`config.${given} must be left out ${when}`);
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

export const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** The protocols whose server changes to TLS on request, on the port on which it begins without. */
export const STARTTLS_PROTOCOLS = ["smtp", "imap", "pop3", "ftp", "postgres", "mysql"] as const;
export type StarttlsProtocol = (typeof STARTTLS_PROTOCOLS)[number];

/** The protocols of a TCP monitor whose server says something that shows which one it speaks (behavior 20.1). */
export const GREETING_PROTOCOLS = [...STARTTLS_PROTOCOLS, "ssh", "redis"] as const;
export type GreetingProtocol = (typeof GREETING_PROTOCOLS)[number];

const PROTOCOLS = ["icmp", ...GREETING_PROTOCOLS] as const;

/** The most pings of a check. */
export const MAX_PINGS = 5;

export const TcpConfig = Type.Object(
  {
    host: Host,
    port: Type.Optional(described(Port, "Required, except with the protocol `icmp`, which has none.")),
    interval: Interval,
    protocol: Type.Optional(
      described(oneOf(PROTOCOLS), "What is spoken. Default: nothing, and an open connection is enough."),
    ),
    tls: Type.Optional(
      described(
        oneOf(["none", "direct", "starttls"]),
        "When TLS begins, with a `protocol`. Default: `none`.",
      ),
    ),
    verifyTls: Type.Optional(VerifyTls),
    servername: Type.Optional(
      described(HostName, "The name that the TLS handshake asks for. Default: `host`."),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PINGS,
        description: "How many pings a check sends. Default: 3.",
      }),
    ),
    size: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1400, description: "Bytes of data in each ping. Default: 32." }),
    ),
    maxLoss: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 99,
        description: "The monitor is degraded if more percent of the pings are lost. Default: never.",
      }),
    ),
    send: Type.Optional(
      Type.String({ format: "sent-text", description: "Sent after the connection, at most 4 KiB." }),
    ),
    contains: Type.Optional(described(ExpectedText, "The text that the server sends.")),
    timeout: Type.Optional(Timeout),
    everyAddress: Type.Optional(EveryAddress),
  },
  named("TcpConfig"),
);
type TcpFields = Static<typeof TcpConfig>;

/** A config that keeps the rules of `assertTcpConfig`. */
export type TcpConfig = ConnectionConfig | GreetingConfig | PingConfig;

type WithPort = TcpFields & { port: number };
export type ConnectionConfig = WithPort & { protocol?: never };
export type GreetingConfig = WithPort &
  ({ protocol: GreetingProtocol; tls?: "none" | "direct" } | { protocol: StarttlsProtocol; tls: "starttls" });
export type PingConfig = TcpFields & { protocol: "icmp" };

const OF_PING = ["count", "size", "maxLoss"] as const;
const OF_TLS = ["verifyTls", "servername"] as const;

/** Behavior 20.1 to 20.4. */
export function assertTcpConfig(config: TcpFields): void {
  assertTimeout(config);
  const { protocol, tls = "none" } = config;
  if (protocol === "icmp") {
    refuse(config, ["port", "tls", ...OF_TLS, "send", "contains"], "with the protocol icmp");
    return;
  }
  if (config.port === undefined) throw invalid("config.port is required");
  refuse(config, OF_PING, "unless config.protocol is icmp");
  if (protocol === undefined) refuse(config, ["tls", ...OF_TLS], "without config.protocol");
  else refuse(config, ["send", "contains"], "with config.protocol");
  if (tls === "none") refuse(config, OF_TLS, "unless config.tls is direct or starttls");
  if (tls === "starttls" && !STARTTLS_PROTOCOLS.some((one) => one === protocol))
    throw invalid(
      `config.tls must be none or direct with the protocol ${protocol}: only ${STARTTLS_PROTOCOLS.join(", ")} know starttls`,
    );
}
