import { type Static, Type } from "@sinclair/typebox";
import type { Plan } from "../../accounts/organization.ts";
import { fault } from "../../faults/fault.ts";
import { REGISTRATION_WARN_DAYS } from "../../registration/registration.ts";
import { Host, HostName } from "../../schemas/format.ts";
import { described, named, oneOf } from "../../schemas/schema.ts";
import * as fields from "./fields.ts";
import { protocolChoices, STARTTLS_PROTOCOLS } from "./tcp.ts";

const WarnDays = Type.Integer({ minimum: 1, maximum: 365 });

export const config = Type.Object(
  {
    host: Host,
    port: Type.Optional(fields.Port),
    interval: Type.Optional(fields.Interval),
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
    everyAddress: Type.Optional(fields.EveryAddress),
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
type TlsConfig = Static<typeof config>;

/** A mail or database server has no usual port for every protocol (behavior 20.5). */
export function assertRules({ protocol, port }: TlsConfig): void {
  if (protocol !== undefined && port === undefined)
    throw fault("requiredWith", { field: "config.port", other: "config.protocol" });
}

export function defaults(given: { port?: number; interval?: number }, plan: Plan) {
  return { port: given.port ?? 443, interval: given.interval ?? fields.defaultInterval(plan) };
}

export const forms = {
  TLS: [
    fields.hostAndPort("443"),
    {
      section: "warnings",
      entries: [
        { widget: "registration", name: "registration" },
        { name: "warnDays", kind: "number" },
      ],
    },
    {
      section: "connection",
      entries: [
        fields.servername,
        {
          name: "protocol",
          words: "starttls",
          kind: "choice",
          choices: [{}, ...protocolChoices(STARTTLS_PROTOCOLS)],
        },
        { ...fields.everyAddress, words: "everyCertificate" },
      ],
    },
  ],
} satisfies Record<string, readonly fields.Entry[]>;
