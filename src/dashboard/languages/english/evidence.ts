/** Evidence: the findings of a failed check, and how they differ from the last good check. */
export const evidence = {
  title: "Why it failed",
  titleOfMonitor: "Latest failures",
  /** Where a failure is, from the machine that checks up to the content of an answer. */
  layer: {
    self: "stillup itself",
    dns: "DNS",
    network: "Network",
    port: "Port",
    tls: "TLS",
    protocol: "Protocol",
    content: "Content",
    /** After "Layer:". */
    unknown: "not known",
  },
  /** A badge with a text as above. Often, only screen readers have the text in `<label>`. */
  layerBadge: "<label>Layer: </label>{layer}",
  /** A button that copies all of it as plain text, for a ticket. */
  copy: "Copy as text",
  /** A link to the outage. */
  outage: "Outage",
  blip: "It was over before an outage was confirmed.",
  bare: "Only this sentence was kept, because many monitors failed at the same time.",
  /** Headings of the parts. */
  parts: {
    connections: "Connections after the check",
    /** The routers between two machines in a network. */
    path: "Path",
    dns: "DNS",
    tls: "TLS",
    http: "HTTP",
    /** The body of an HTTP answer. */
    body: "Body",
    self: "Where it was checked",
  },
  /** The table of facts. */
  compared: {
    /** For screen readers. */
    caption: "The last good check and the failed one",
    before: "Before",
    now: "Now",
    /** After a value of the failed check that differs from the value before. */
    changed: "≠ changed",
    /** A list without items. */
    none: "none",
  },
  facts: {
    addresses: "Addresses of the name",
    address: "Address",
    protocol: "Protocol",
    certificate: "Certificate",
    statusCode: "Status code",
    headers: "Headers",
    size: "Size of the body",
    content: "Content",
    /** The phases of a request; their durations are below. */
    phases: "Phases",
  },
  bytes: { one: "{count} bytes", other: "{count} bytes" },
  /** How long a phase of a request took. Items of a list. */
  phases: {
    resolve: "name lookup {took}",
    connect: "connection {took}",
    tls: "TLS handshake {took}",
    firstByte: "first byte {took}",
    body: "body {took}",
  },
  /** The outcome of an attempt to connect, after `{took}`. */
  connection: {
    open: "open after {took}",
    refused: "refused after {took}",
    reset: "reset after {took}",
    timeout: "no answer after {took}",
    unreachable: "unreachable after {took}",
  },
  /** A router on the path, with its address and its answer time. */
  hop: { answered: "{address}, {took}", silent: "no answer" },
  /** `{code}` is a word of the DNS such as NXDOMAIN, `{server}` an address, `{records}` a list of addresses. */
  dns: {
    answer: "{code} after {took}: {records}",
    answerFrom: "{code} from {server} after {took}: {records}",
    /** In place of `{records}`. */
    noRecords: "no records",
  },
  /** `{from}` and `{to}` are days. */
  certificate: "{subject}, issued by {issuer}, valid from {from} to {to}",
  handshake: {
    /** The last item of a list. `{error}` is a code. */
    refused: "refused: {error}",
    none: "No handshake",
  },
  /** The state of the machine that checks. Items of a list. */
  self: {
    online: "online",
    offline: "offline",
    /** The load of the processor: a number. */
    load: "load {load}",
    late: "checks late by {duration}",
    descriptors: { one: "{count} file descriptors free", other: "{count} file descriptors free" },
    others: "of the other monitors, {good} good and {failing} failing",
  },
  deletedLocation: "A deleted location",
  statusCode: "Status code {code}",
  /** Headers whose values are not kept. */
  otherHeaders: "Other headers",
  noBody: "No body was kept.",
  bodyForAdmins: "The body of the answer is shown to admins only.",
  /** The plain text for a ticket. */
  text: {
    /** `{summary}` is an English sentence. */
    title: "{name}: {summary}",
    layer: "Layer: {layer}",
    /** When and where, with the status. */
    seen: "Seen: {time}, {place}, {status}",
    /** The same with a code in parentheses. */
    seenWithReason: "Seen: {time}, {place}, {status} ({reason})",
    lastGood: "Last good check: {time}",
    compared: "Before | now",
    fact: "{name}: {before} | {now}",
    changedFact: "{name}: {before} | {now} (changed)",
    /** `{connection}` and `{hop}` are texts as above. */
    connection: "{endpoint} {connection}",
    hop: "{number}. {hop}",
    certificate: "{certificate}, SHA-256 {fingerprint}",
    otherHeaders: "Other headers: {names}",
  },
} as const;
