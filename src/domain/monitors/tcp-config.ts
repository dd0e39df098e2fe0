import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { ExpectedText } from "../checks/expectations-schema.ts";
import { Host, HostName } from "../schemas/format.ts";
import { described, named, oneOf } from "../schemas/schema.ts";
import { assertTimeout, EveryAddress, Interval, Timeout, VerifyTls } from "./http-config.ts";
import { refuse } from "./refused-fields.ts";

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
