import { type Static, Type } from "@sinclair/typebox";
import { ExpectedText } from "../../checks/expectation-rules.ts";
import { fault } from "../../faults/fault.ts";
import { Host, HostName } from "../../schemas/format.ts";
import { described, named, oneOf } from "../../schemas/schema.ts";
import * as fields from "./fields.ts";

/** The protocols whose server changes to TLS on request, on the port on which it begins without. */
export const STARTTLS_PROTOCOLS = ["smtp", "imap", "pop3", "ftp", "postgres", "mysql"] as const;
export type StarttlsProtocol = (typeof STARTTLS_PROTOCOLS)[number];

/** The protocols of a TCP monitor whose server says something that shows which one it speaks (behavior 20.1). */
export const GREETING_PROTOCOLS = [...STARTTLS_PROTOCOLS, "ssh", "redis"] as const;
export type GreetingProtocol = (typeof GREETING_PROTOCOLS)[number];

const PROTOCOLS = ["icmp", ...GREETING_PROTOCOLS] as const;

/** The most pings of a check. */
export const MAX_PINGS = 5;

export const config = Type.Object(
  {
    host: Host,
    port: Type.Optional(described(fields.Port, "Required, except with the protocol `icmp`, which has none.")),
    interval: fields.Interval,
    protocol: Type.Optional(
      described(oneOf(PROTOCOLS), "What is spoken. Default: nothing, and an open connection is enough."),
    ),
    tls: Type.Optional(
      described(
        oneOf(["none", "direct", "starttls"]),
        "When TLS begins, with a `protocol`. Default: `none`.",
      ),
    ),
    verifyTls: Type.Optional(fields.VerifyTls),
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
    timeout: Type.Optional(fields.Timeout),
    everyAddress: Type.Optional(fields.EveryAddress),
  },
  named("TcpConfig"),
);
type TcpFields = Static<typeof config>;

/** A config that keeps the rules of `assertRules`. */
export type TcpConfig = ConnectionConfig | GreetingConfig | PingConfig;

type WithPort = TcpFields & { port: number };
export type ConnectionConfig = WithPort & { protocol?: never };
export type GreetingConfig = WithPort &
  ({ protocol: GreetingProtocol; tls?: "none" | "direct" } | { protocol: StarttlsProtocol; tls: "starttls" });
export type PingConfig = TcpFields & { protocol: "icmp" };

const OF_PING = ["count", "size", "maxLoss"] as const;
const OF_TLS = ["verifyTls", "servername"] as const;

/** Behavior 20.1 to 20.4. */
export function assertRules(config: TcpFields): void {
  fields.assertTimeout(config);
  const { protocol, tls = "none" } = config;
  if (protocol === "icmp") {
    fields.refuse(config, ["port", "tls", ...OF_TLS, "send", "contains"], (field) =>
      fault("notWithProtocol", { field, protocol }),
    );
    return;
  }
  if (config.port === undefined) throw fault("required", { field: "config.port" });
  fields.refuse(config, OF_PING, (field) => fault("onlyWithProtocol", { field, protocol: "icmp" }));
  if (protocol === undefined)
    fields.refuse(config, ["tls", ...OF_TLS], (field) => fault("notWithoutProtocol", { field }));
  else
    fields.refuse(config, ["send", "contains"], (field) =>
      fault("leaveOutWith", { field, other: "config.protocol" }),
    );
  if (tls === "none") fields.refuse(config, OF_TLS, (field) => fault("onlyWithTls", { field }));
  if (tls === "starttls" && !STARTTLS_PROTOCOLS.some((one) => one === protocol))
    throw fault("startTls", {
      field: "config.tls",
      protocol: String(protocol),
      protocols: STARTTLS_PROTOCOLS.join(", "),
    });
}

const protocolLabels = {
  smtp: "SMTP",
  imap: "IMAP",
  pop3: "POP3",
  ftp: "FTP",
  ssh: "SSH",
  postgres: "PostgreSQL",
  mysql: "MySQL, MariaDB",
  redis: "Redis, Valkey",
};
type Protocol = keyof typeof protocolLabels;

export function protocolChoices(protocols: readonly Protocol[]): { value: string; label: string }[] {
  return protocols.map((value) => ({ value, label: protocolLabels[value] }));
}

/** A server whose greeting shows what it speaks. */
function greetings(protocols: readonly Protocol[], port: string): readonly fields.Entry[] {
  return [
    fields.hostAndPort(port),
    {
      beside: "halves",
      fields: [
        { name: "protocol", kind: "choice", choices: protocolChoices(protocols) },
        { name: "tls", kind: "choice", choices: [{}, { value: "direct" }, { value: "starttls" }] },
      ],
    },
    {
      section: "connection",
      entries: [fields.servername, fields.timeout, fields.everyAddress, fields.anyCertificate],
    },
  ];
}

export const forms = {
  TCP: [
    fields.hostAndPort(),
    {
      section: "conversation",
      entries: [
        { name: "send", kind: "escaped", example: "PING\\r\\n", isExact: true },
        { name: "contains", example: "PONG", isExact: true },
      ],
    },
    { section: "connection", entries: [fields.timeout, fields.everyAddress] },
  ],
  PING: [
    { name: "host", example: "example.com" },
    {
      section: "pings",
      entries: [
        { name: "count", kind: "number" },
        { name: "size", kind: "number" },
        { name: "maxLoss", kind: "number" },
      ],
    },
    { section: "connection", entries: [fields.timeout, fields.everyAddress] },
  ],
  MAIL: greetings(["smtp", "imap", "pop3"], "25"),
  DATABASE: greetings(["postgres", "mysql", "redis"], "5432"),
  SSH: greetings(["ssh", "ftp"], "22"),
} satisfies Record<string, readonly fields.Entry[]>;
