import { RECORD_TYPES } from "../../../../domain/checks/dns-record.ts";
import type { MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import { STARTTLS_PROTOCOLS } from "../../../../domain/monitors/tcp-config.ts";
import type { ConfigField } from "../../form/config-field.ts";

/** A part of the form of a config. */
export type Entry =
  | ConfigField
  /** A component for a part of the config. @property name its place in the config */
  | {
      widget:
        | "website"
        | "statuses"
        | "expiry"
        | "registration"
        | "headers"
        | "expected-headers"
        | "json"
        | "any-certificate";
      name: string;
    }
  /** Fields side by side: one wide and one short, or both as wide. */
  | { beside: "pair" | "halves"; fields: readonly ConfigField[] }
  /** Fields of one of several options. A stored field selects its option. @property radio name of the form value */
  | { legend: string; radio: string; options: readonly Option[] }
  | { heading: string }
  /** Fields that most readers do not need. */
  | { summary: string; entries: readonly Entry[] };

interface Option {
  value: string;
  label: string;
  entries: readonly Entry[];
}

const timeout: ConfigField = {
  name: "timeout",
  label: "Time limit of a check, in seconds",
  kind: "number",
  hint: "Down if a check takes longer. If empty: 10, or the time between two checks if that is less.",
};

const everyAddress: ConfigField = {
  name: "everyAddress",
  label: "Check each address of the host",
  kind: "switch",
  hint: "Up to 6, at once. If only some fail: Degraded. If off, the first address that answers is enough.",
};

const ipVersion: ConfigField = {
  name: "ipFamily",
  label: "IP version",
  kind: "choice",
  choices: [{ label: "Both" }, { value: 4, label: "Only IPv4" }, { value: 6, label: "Only IPv6" }],
  isShort: true,
};

const signIn: Entry = {
  beside: "halves",
  fields: [
    { name: "basicAuth.user", label: "Sign-in: user", isExact: true },
    { name: "basicAuth.password", label: "Sign-in: password", kind: "secret", isExact: true },
  ],
};

const anyCertificate: Entry = { widget: "any-certificate", name: "verifyTls" };

const servername: ConfigField = {
  name: "servername",
  label: "Name in the handshake",
  example: "www.example.com",
  hint: "For a server with several certificates. If empty: the host.",
};

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

function protocolChoices(protocols: readonly Protocol[]): { value: string; label: string }[] {
  return protocols.map((value) => ({ value, label: protocolLabels[value] }));
}

/** A server whose greeting shows what it speaks. */
function greetings(protocols: readonly Protocol[], port: string): readonly Entry[] {
  return [
    hostAndPort(port),
    {
      beside: "halves",
      fields: [
        { name: "protocol", label: "Protocol", kind: "choice", choices: protocolChoices(protocols) },
        {
          name: "tls",
          label: "TLS",
          kind: "choice",
          choices: [
            { label: "None" },
            { value: "direct", label: "From the start" },
            { value: "starttls", label: "On request (STARTTLS)" },
          ],
        },
      ],
    },
    { summary: "Connection", entries: [servername, timeout, everyAddress, anyCertificate] },
  ];
}

/** The fields of the config of each kind, in the order of the form. The first field is the target, if the kind has a target. */
export const monitorFields: Record<MonitorKind, readonly Entry[]> = {
  HTTP: [
    { widget: "website", name: "url" },
    { widget: "statuses", name: "expect.status" },
    {
      name: "redirects",
      label: "Follow … redirects",
      kind: "number",
      initial: "5",
      hint: "Up to 10. The last answer is judged; one redirect too many is Down. If empty, none is followed.",
    },
    { widget: "expiry", name: "expiryWarning" },
    {
      summary: "Request and expectations",
      entries: [
        { heading: "Request" },
        {
          name: "method",
          label: "Method",
          kind: "choice",
          choices: [{ label: "GET" }, ...named(["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])],
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
        signIn,
        { heading: "Expectations" },
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
        { heading: "Connection" },
        timeout,
        ipVersion,
        everyAddress,
        anyCertificate,
      ],
    },
  ],
  TCP: [
    hostAndPort(),
    {
      summary: "Request and expectations",
      entries: [
        {
          name: "send",
          label: "Send after connecting",
          kind: "escaped",
          example: "PING\\r\\n",
          hint: "\\r\\n ends a line, \\t is a tab and \\\\ a backslash. If empty, nothing is sent.",
          isExact: true,
        },
        {
          name: "contains",
          label: "The answer contains",
          example: "PONG",
          hint: "Down if this text does not come in time. If empty, an open connection is enough.",
          isExact: true,
        },
        timeout,
        everyAddress,
      ],
    },
  ],
  TLS: [
    hostAndPort("443"),
    { widget: "registration", name: "registration" },
    {
      summary: "Warning and name",
      entries: [
        {
          name: "warnDays",
          label: "Expires soon: … days before the end",
          kind: "number",
          hint: "If empty: 14 days.",
        },
        servername,
        {
          name: "protocol",
          label: "Before TLS begins (STARTTLS)",
          kind: "choice",
          choices: [{ label: "Nothing" }, ...protocolChoices(STARTTLS_PROTOCOLS)],
          hint: "For mail and database servers.",
        },
        {
          ...everyAddress,
          hint: "Up to 6, at once. The worst certificate counts. If off, the first address that answers is enough.",
        },
      ],
    },
  ],
  PING: [
    { name: "host", label: "Host", example: "example.com" },
    {
      summary: "Pings",
      entries: [
        { name: "count", label: "Pings of a check", kind: "number", hint: "1 to 5. If empty: 3." },
        { name: "size", label: "Bytes in each ping", kind: "number", hint: "Up to 1,400. If empty: 32." },
        {
          name: "maxLoss",
          label: "Degraded if more than … % are lost",
          kind: "number",
          hint: "If empty: never, if one is answered.",
        },
        timeout,
        everyAddress,
      ],
    },
  ],
  MAIL: greetings(["smtp", "imap", "pop3"], "25"),
  DATABASE: greetings(["postgres", "mysql", "redis"], "5432"),
  SSH: greetings(["ssh", "ftp"], "22"),
  WEBSOCKET: [
    { widget: "website", name: "url" },
    { widget: "expiry", name: "expiryWarning" },
    {
      summary: "Request and connection",
      entries: [
        { widget: "headers", name: "headers" },
        signIn,
        timeout,
        ipVersion,
        everyAddress,
        anyCertificate,
      ],
    },
  ],
  GRPC: [
    { widget: "website", name: "url" },
    {
      name: "service",
      label: "Service",
      example: "shop.Cart",
      hint: "If empty: the whole server.",
    },
    {
      summary: "Request and connection",
      entries: [{ widget: "headers", name: "headers" }, timeout, ipVersion, anyCertificate],
    },
  ],
  DNS: [
    { name: "hostname", label: "Host name", example: "example.com" },
    {
      name: "recordType",
      label: "Record",
      kind: "choice",
      choices: [{ label: "A and AAAA (addresses)" }, ...named(RECORD_TYPES)],
    },
    {
      name: "expected",
      label: "Expected records",
      kind: "lines",
      hint: "One on each line. If empty, a record that was not seen for 7 days counts as a change.",
    },
    {
      name: "servers",
      label: "DNS servers",
      kind: "words",
      example: "192.0.2.53, [2001:db8::53]:5353",
      hint: "Up to four, asked in this order until one gives a clear answer. If empty: the servers of stillup.",
    },
  ],
  SCHEDULED: [
    {
      legend: "When the job checks in",
      radio: "schedule",
      options: [
        { value: "learned", label: "Learned from the check-ins", entries: [] },
        {
          value: "period",
          label: "Every …",
          entries: [
            { name: "period", label: "Time between two check-ins", kind: "duration", isRequired: true },
          ],
        },
        {
          value: "cron",
          label: "By a cron expression",
          entries: [
            {
              beside: "pair",
              fields: [
                { name: "cron", label: "Cron expression", example: "30 2 * * 1-5", isRequired: true },
                { name: "timezone", label: "Time zone", example: "UTC" },
              ],
            },
          ],
        },
      ],
    },
    {
      name: "grace",
      label: "Grace period",
      kind: "duration",
      hint: "How late a check-in may be. If empty: a fifth of the time between two check-ins, 1 minute to 1 hour.",
    },
    {
      name: "maxRunTime",
      label: "Longest run",
      kind: "duration",
      hint: "Failed if a run takes longer. For jobs that report their start. If empty: learned from the last runs.",
    },
    {
      name: "overlap",
      label: "If a run starts while another one is open",
      kind: "choice",
      choices: [{ label: "Allow it" }, { value: "fail", label: "Record a failure" }],
    },
  ],
};

/** The fields of entries, without what is shown by a component. */
export function fieldsOf(entries: readonly Entry[]): readonly ConfigField[] {
  return entries.flatMap((entry) => {
    if ("label" in entry) return entry;
    if ("fields" in entry) return entry.fields;
    if ("entries" in entry) return fieldsOf(entry.entries);
    return "options" in entry ? entry.options.flatMap((option) => fieldsOf(option.entries)) : [];
  });
}

function hostAndPort(port?: string): Entry {
  return {
    beside: "pair",
    fields: [
      { name: "host", label: "Host", example: "example.com" },
      { name: "port", label: "Port", kind: "number", ...(port && { initial: port }) },
    ],
  };
}

/** Choices with their values as labels. */
function named(values: readonly string[]): { value: string; label: string }[] {
  return values.map((value) => ({ value, label: value }));
}
