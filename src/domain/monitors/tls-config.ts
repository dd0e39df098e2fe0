import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { REGISTRATION_WARN_DAYS } from "../registration/registration.ts";
import { Host, HostName } from "../schemas/format.ts";
import { described, named, oneOf } from "../schemas/schema.ts";
import { EveryAddress, Interval, Port, STARTTLS_PROTOCOLS } from "./tcp-config.ts";

const WarnDays = Type.Integer({ minimum: 1, maximum: 365 });

export const TlsConfig = Type.Object(
  {
    host: Host,
    port: Type.Optional(Port),
    interval: Type.Optional(Interval),
    protocol: Type.Optional(
      described(
        oneOf(STARTTLS_PROTOCOLS),
        "What the server speaks before TLS begins, on the `port`. Default: TLS from the start.",
      ),
    ),
    warnDays: Type.Optional(
      described(WarnDays, "How many days before its end a certificate expires soon. Default: 14."),
    ),
    servername: Type.Optional(described(HostName, "The name that the handshake asks for. Default: `host`.")),
    everyAddress: Type.Optional(EveryAddress),
    registration: Type.Optional(
      Type.Union(
        [
          Type.Literal(true),
          Type.Object(
            {
              warnDays: Type.Optional(
                described(
                  WarnDays,
                  `How many days before its end it expires soon. Default: ${REGISTRATION_WARN_DAYS}.`,
                ),
              ),
            },
            named("RegistrationConfig"),
          ),
        ],
        { description: "Whether the registration of the domain is looked up, once a day. Default: not." },
      ),
    ),
  },
  named("TlsConfig"),
);
export type TlsConfig = Static<typeof TlsConfig>;

/** A mail or database server has no usual port for every protocol (behavior 20.5). */
export function assertTlsConfig({ protocol, port }: TlsConfig): void {
  if (protocol !== undefined && port === undefined)
    throw invalid("config.port is required with config.protocol");
}
