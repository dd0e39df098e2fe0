import type { FieldName, RadioValues, SectionName } from "../../../domain/monitors/kinds/fields.ts";
import type { FieldWords } from "../../../domain/schemas/schema.ts";

/** A radio button, and a hint that is shown while it is chosen. */
interface RadioWords {
  label: string;
  hint?: string;
}

/**
 * The form of a monitor: what it checks. Words such as Down, Degraded and Changed are its statuses. A label may have
 * `…`: a closed section shows the value there (“Follow 5 redirects”).
 */
export const config = {
  /** The title of the view of a monitor that could not be loaded. */
  title: "Monitor",
  /** The name of a copy of a monitor. */
  copyOf: "{name} (copy)",
  /** Above the kinds of monitors, of which one is chosen. */
  kinds: "What to monitor",
  /** The label of the field for an address on the web. */
  url: "URL",
  tags: "Tags",
  dependsOn: {
    /** Above the list of other monitors. */
    title: "Depends on",
    hint: "While one of these is down, nobody is notified of trouble that begins here.",
  },
  /** Sections of the form. */
  sections: {
    answer: "What counts as up",
    /** The answer to the request of a step. */
    expectedAnswer: "Expected answer",
    request: "Request",
    /** Values in the answer to a step that later steps send. */
    takenValues: "Values for later steps",
    signIn: "Sign-in",
    /** The TLS certificate. */
    certificate: "Certificate",
    connection: "Connection",
    /** The text that is sent to the server, and its answer. */
    conversation: "What is said",
    pings: "Pings",
    warnings: "Warnings",
    /** Records of the DNS. */
    records: "Expected records",
    /** Runs of a job. */
    runs: "Late and long runs",
    confirmation: "Confirmation",
    /** Places from which checks run. */
    locations: "Locations",
    relations: "Tags and dependencies",
  } satisfies Record<SectionName | "confirmation" | "locations" | "relations", string>,
  /** Fields by their names in the API: a label, a hint below, and the options of a choice. */
  field: {
    host: { label: "Host" },
    port: { label: "Port" },
    timeout: {
      label: "Time limit of a check, in seconds",
      hint: "Down if a check takes longer. If empty: 10, or the time between two checks if that is less.",
    },
    /** The same, of a website. */
    httpTimeout: {
      label: "Time limit of a check, in seconds",
      hint: "Down if a check takes longer. If empty: 10, or the time between two checks if that is less. At most 60, or 120 with steps.",
    },
    everyAddress: {
      label: "Check each address of the host",
      hint: "Up to 6, at once. If only some fail: Degraded. If off, the first address that answers is enough.",
    },
    /** The same, of a monitor of certificates. */
    everyCertificate: {
      label: "Check each address of the host",
      hint: "Up to 6, at once. The worst certificate counts. If off, the first address that answers is enough.",
    },
    ipFamily: {
      label: "IP version",
      choices: { default: "Both", 4: "Only IPv4", 6: "Only IPv6" },
    },
    /** The TLS handshake. */
    servername: {
      label: "Name in the handshake",
      hint: "For a server with several certificates. If empty: the host.",
    },
    user: { label: "User" },
    password: { label: "Password" },
    /** The same two, among fields of another subject. */
    signInUser: { label: "Sign-in: user" },
    signInPassword: { label: "Sign-in: password" },
    redirects: {
      label: "Follow … redirects",
      hint: "Up to 10. The last answer is judged; one redirect too many is Down. If empty, none is followed.",
    },
    "expect.contains": {
      label: "The body contains",
      hint: "One text on each line, with upper and lower case as in the body. Down if one of them is missing.",
    },
    "expect.lacks": {
      label: "The body does not contain",
      hint: "One text on each line. Down if the body has one of them.",
    },
    /** RE2 is the name of a syntax of patterns. Its example stays as it is. */
    "expect.matches": {
      label: "The body matches",
      hint: "One pattern of RE2 on each line, such as (?i)version \\d+. For a text that is not always the same.",
    },
    "expect.complete": {
      label: "The body must arrive whole",
      hint: "Down if it breaks off. Up to 16 MiB are read at each check. Not for HEAD.",
    },
    "expect.within": {
      label: "Degraded above … ms",
      hint: "A slower answer is Degraded, never Down. The baseline of the monitor counts also.",
    },
    /** The method of HTTP, such as GET. */
    method: { label: "Method" },
    /** The body of an HTTP request. */
    body: {
      label: "Body",
      hint: "Sent as it is, as JSON if it is JSON and no header says otherwise. Not for GET and HEAD.",
    },
    /** Messages about a failure begin with the name. The example is a name that a user could write. */
    name: { label: "Name of the step", hint: "Messages begin with it.", example: "sign in" },
    "oauth2.tokenUrl": { label: "Token URL" },
    "oauth2.clientId": { label: "Client ID" },
    "oauth2.clientSecret": { label: "Client secret" },
    /** A term of OAuth2. */
    "oauth2.scope": { label: "Scope", hint: "If the server needs it. A space between several." },
    /** A term of OAuth2. Auth0 is the name of a service. */
    "oauth2.audience": { label: "Audience", hint: "If the server needs it, such as Auth0." },
    "clientCertificate.certificate": {
      label: "Client certificate",
      hint: "In PEM, for a server that asks its clients for one (mTLS). Certificates of its issuers may follow.",
    },
    "clientCertificate.key": {
      label: "Key of the client certificate",
      hint: "In PEM, without a passphrase. After saving, nobody can read it: ••• keeps the saved key.",
    },
    "proxy.url": {
      label: "Proxy",
      hint: "http:// or socks5://, for a target that is reached only through it. If the proxy fails, the monitor is not Down.",
    },
    "proxy.user": { label: "Proxy: user" },
    "proxy.password": { label: "Proxy: password" },
    /** A term of gRPC. */
    service: { label: "Service", hint: "If empty: the whole server." },
    /** Such as SMTP. */
    protocol: { label: "Protocol" },
    /** The protocol that the server speaks before TLS begins. */
    starttls: {
      label: "Before TLS begins (STARTTLS)",
      hint: "For mail and database servers.",
      choices: { default: "Nothing" },
    },
    /** When TLS begins. */
    tls: {
      label: "TLS",
      choices: { default: "None", direct: "From the start", starttls: "On request (STARTTLS)" },
    },
    send: {
      label: "Send after connecting",
      hint: "\\r\\n ends a line, \\t is a tab and \\\\ a backslash. If empty, nothing is sent.",
    },
    contains: {
      label: "The answer contains",
      hint: "Down if this text does not come in time. If empty, an open connection is enough.",
    },
    count: { label: "Pings of a check", hint: "1 to 5. If empty: 3." },
    size: { label: "Bytes in each ping", hint: "Up to 1400. If empty: 32." },
    maxLoss: { label: "Degraded if more than … % are lost", hint: "If empty: never, if one is answered." },
    /** A certificate. */
    warnDays: { label: "Expires soon: … days before the end", hint: "If empty: 14 days." },
    hostname: { label: "Host name" },
    /** The type of a DNS record, such as MX. */
    recordType: { label: "Record", choices: { default: "A and AAAA (addresses)" } },
    records: { label: "Records", hint: "One on each line, in any order." },
    servers: {
      label: "DNS servers",
      hint: "Up to four, asked in this order until one gives a clear answer. If empty: the servers of stillup.",
    },
    period: { label: "Time between two check-ins" },
    cron: { label: "Cron expression" },
    timezone: { label: "Time zone" },
    grace: {
      label: "Grace period",
      hint: "How late a check-in may be. If empty: a fifth of the time between two check-ins, 1 minute to 1 hour.",
    },
    maxRunTime: {
      label: "Longest run",
      hint: "Failed if a run takes longer. For jobs that report their start. If empty: learned from the last runs.",
    },
    overlap: {
      label: "If a run starts while another one is open",
      choices: { default: "Allow it", fail: "Record a failure" },
    },
  } satisfies Record<FieldName, FieldWords>,
  /** Radio buttons, each with fields of its own. */
  options: {
    /** A DNS monitor. */
    records: {
      title: "Expected records",
      values: {
        seen: {
          label: "Those of the last 7 days",
          hint: "A record not seen in the last 7 days: Changed. If there is no record: Missing.",
        },
        exactly: { label: "Exactly these" },
        any: {
          label: "At least one of these",
          hint: "For a name whose answers change, such as one of several servers.",
        },
        contains: {
          label: "All of these, among others",
          hint: "For one of several records, such as the TXT record of a service. A part of a record is enough.",
        },
        none: {
          label: "None at all",
          hint: "For a name that must not exist: any record is Changed.",
        },
      },
    },
    signIn: {
      title: "The server asks for",
      values: {
        none: { label: "No sign-in" },
        basic: { label: "User and password (Basic)" },
        digest: {
          label: "User and password (Digest)",
          hint: "For servers that refuse Basic, such as cameras and routers.",
        },
        oauth2: {
          label: "A token (OAuth2 client credentials)",
          hint: "For an API whose tokens come from another server. If that server fails, the monitor is not Down.",
        },
      },
    },
    schedule: {
      title: "When the job checks in",
      values: {
        learned: { label: "Learned from the check-ins" },
        /** A field for the time follows. */
        period: { label: "Every …" },
        cron: { label: "By a cron expression" },
      },
    },
  } satisfies {
    [Radio in keyof RadioValues]: { title: string; values: Record<RadioValues[Radio], RadioWords> };
  },
  /** The statuses of HTTP that count as up. */
  statuses: {
    title: "What counts as up",
    values: {
      success: {
        label: "An answer with a status of 2xx (success)",
        hint: "An error (4xx, 5xx), a redirect that is not followed, and no answer are Down.",
      },
      listed: {
        label: "An answer with one of these statuses",
        hint: "Any other status and no answer are Down.",
      },
      any: { label: "Any answer, also an error such as 500", hint: "Only no answer is Down." },
    },
    list: {
      label: "Statuses",
      hint: "Codes from 100 to 999, classes such as 2xx, and ranges such as 200-204.",
    },
  },
  /** Headers that the answer must have. */
  answerHeaders: {
    title: "Headers of the answer",
    /** Above the two fields of a row: the name of a header, and a text in its value. */
    name: "Header",
    contains: "Contains",
    add: "Add an expected header",
  },
  /** The part of an answer that must stay the same. */
  same: {
    label: "Degraded if this changes",
    hint: "To notice a page that somebody else changed, although its status is 200. Only hashes are stored.",
    parts: {
      none: "Nothing",
      text: "The text of the page",
      body: "The whole body",
      json: "A value in a JSON body",
      header: "A header",
    },
    /** For screen readers: the field beside the choice of a part. */
    details: { json: "Path of the value", header: "Name of the header" },
    usualAfter: "A changed value is usual after … days",
    usualHint: "Or once its outage is acknowledged. If empty: 7 days.",
  },
  /** Values that a step takes from its answer. */
  taken: {
    title: "Take from the answer",
    /** Above the two fields of a row. */
    name: "Name",
    source: "Part of the answer",
    add: "Add a value",
    /** `token` is the name of a value as a later step writes it. `$.path`, `header:` and `cookie:` stay as they are. */
    hint: "$.path of a JSON body, header:Name or cookie:Name. Later steps write {token} in a URL, header or body. Cookies are sent anyway.",
  },
  /** The certificate of a website. */
  certificate: {
    warn: "Also warn before the certificate expires",
    days: "Degraded: … days before its end",
    acceptInvalid: "Accept a certificate that is not valid",
  },
  /** The registration of a domain. */
  registration: {
    warn: "Also warn before the registration of the domain expires",
    days: "Expires soon: … days before its end",
    hint: {
      one: "Its registry is asked once a day. If empty: {count} day.",
      other: "Its registry is asked once a day. If empty: {count} days.",
    },
  },
  /** How often a monitor is checked. */
  interval: {
    /** A choice of times follows, such as “5 min”. */
    label: "Check every",
    /** The last option: an amount and a unit follow. */
    other: "Another time",
    /** For screen readers. */
    amount: "Time between two checks",
    unit: "Unit",
  },
  /** Conditions for values of a JSON body. */
  json: {
    title: "Values in a JSON body",
    /** The examples of paths stay as they are. */
    hint: "A path leads to one value, such as $.queue.depth or $.jobs[0]['last run']. Down if the value differs.",
    add: "Add a value",
    /** For screen readers: the three fields of the row `number`. */
    path: "Path {number}",
    condition: "Condition {number}",
    value: "Value {number}",
    /** Between a path and a value: “$.status is the text ok”. */
    tests: {
      text: "is the text",
      literal: "is",
      min: "is at least",
      max: "is at most",
      range: "is from … to …",
      exists: "exists",
      missing: "does not exist",
    },
    /** Examples of values of JSON, for “is”. */
    literalExample: "5, true, false or null",
    /** An example of a range, and a range. Spaces are around each number. */
    range: "{min} to {max}",
  },
  /** A check makes one request or several steps. */
  requests: {
    /** Two radio buttons follow. */
    title: "A check makes",
    one: "One request",
    steps: "Several steps, such as a sign-in and a page behind it",
  },
  steps: {
    title: "Steps",
    /** The title of a step. */
    step: "Step {number}",
    hint: "Made in this order, with the cookies of the steps before. The first one that fails decides, and ends the check.",
    add: "Add a step",
    /** Buttons of a step. */
    moveUp: "Move up<hidden> step {number}</hidden>",
    moveDown: "Move down<hidden> step {number}</hidden>",
    remove: "Remove<hidden> step {number}</hidden>",
  },
} as const;
