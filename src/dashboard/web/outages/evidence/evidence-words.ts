import { formatLatency } from "../../../../domain/duration.ts";
import type { CHANGES, Layer, OUTCOMES } from "../../../../domain/evidence/evidence.ts";
import type { Evidence } from "../../data/api.ts";
import { texts } from "../../languages/texts.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { formatNumber } from "../../ui/numbers.ts";

/** The names of the layers for readers. */
export const layerLabels: Record<Layer, string> = {
  self: "stillup itself",
  dns: "DNS",
  network: "Network",
  port: "Port",
  tls: "TLS",
  protocol: "Protocol",
  content: "Content",
  unknown: "not known",
};

export const outcomeLabels: Record<(typeof OUTCOMES)[number], string> = {
  open: "open",
  refused: "refused",
  reset: "reset",
  timeout: "no answer",
  unreachable: "unreachable",
};

/** A fact of the last good check beside the same fact of the failed one; null if a check did not read it. */
export interface ComparedFact {
  name: string;
  before: string | null;
  now: string | null;
  isChanged: boolean;
}

/** The findings of the last good check and of the failed one, in the order of a request. Facts that neither has are left out. */
export function comparedFacts({ changes, dns, tls, http, good }: Evidence): ComparedFact[] {
  const of = (what: (typeof CHANGES)[number]) => changes.find((change) => change.what === what);
  const fact = (
    name: string,
    what: (typeof CHANGES)[number],
    { before = null, now = null }: Partial<Record<"before" | "now", string | null>> = {},
    shown: (value: string | number) => string = String,
  ): ComparedFact => {
    const change = of(what);
    return {
      name,
      before: valueIn(change?.before, shown) ?? before,
      now: valueIn(change?.now, shown) ?? now,
      isChanged: change !== undefined,
    };
  };
  const bytes = (size: string | number) => `${formatNumber(Number(size))} bytes`;
  const code = (value: number | null | undefined) => (value == null ? null : String(value));
  const size = (value: number | null | undefined) => (value == null ? null : bytes(value));
  const answer = dns && (dns.records.length > 0 ? dns.records.join(", ") : dns.code);
  return [
    fact("Addresses of the name", "addresses", { now: answer }),
    fact("Address", "address", { before: good?.address ?? null }),
    fact("Protocol", "protocol", { now: tls?.protocol ?? null }),
    fact(
      "Certificate",
      "certificate",
      { before: certificateOf(good?.certificate), now: certificateOf(tls?.chain[0]?.fingerprint) },
      (value) => certificateOf(String(value)) ?? "",
    ),
    fact("Status code", "status_code", { before: code(good?.statusCode), now: code(http?.statusCode) }),
    fact("Headers", "headers"),
    fact("Size of the body", "size", { before: size(good?.size), now: size(http?.size) }, bytes),
    fact("Content", "content"),
    fact("Phases", "phase", { before: good && phasesIn(good.phases) }),
  ].filter(({ before, now }) => before !== null || now !== null);
}

function valueIn(
  value: Evidence["changes"][number]["now"] | undefined,
  shown: (value: string | number) => string,
): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? value.map(shown).join(", ") || "none" : shown(value);
}

/** Characters of a fingerprint that tell two certificates apart. */
const FINGERPRINT = 23;

function certificateOf(fingerprint: string | null | undefined): string | null {
  if (!fingerprint) return null;
  return fingerprint.length > FINGERPRINT ? `${fingerprint.slice(0, FINGERPRINT)}…` : fingerprint;
}

const phaseLabels = {
  resolve: "name lookup",
  connect: "connection",
  tls: "TLS handshake",
  firstByte: "first byte",
  body: "body",
} as const;

function phasesIn(phases: NonNullable<Evidence["good"]>["phases"]): string | null {
  const parts = Object.entries(phaseLabels).flatMap(([name, label]) => {
    const took = phases[name as keyof typeof phaseLabels];
    return took === undefined ? [] : [`${label} ${formatLatency(took)}`];
  });
  return parts.length > 0 ? parts.join(", ") : null;
}

type Path = NonNullable<Evidence["path"]>;

export function hopWords({ address, rttMs }: Path[number]): string {
  if (address === null) return "no answer";
  return rttMs === null ? address : `${address}, ${formatLatency(rttMs)}`;
}

export function connectionWords({ outcome, tookMs }: NonNullable<Evidence["connections"]>[number]): string {
  return `${outcomeLabels[outcome]} after ${formatLatency(tookMs)}`;
}

/** An address with a port, as in a URL. */
export function endpointOf({ address, port }: { address: string; port: number }): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

export function dnsWords({ server, code, records, tookMs }: NonNullable<Evidence["dns"]>): string {
  const from = server === null ? "" : ` from ${server}`;
  return `${code}${from} after ${formatLatency(tookMs)}: ${records.join(", ") || "no records"}`;
}

type Chain = NonNullable<Evidence["tls"]>["chain"];

export function certificateWords({ subject, issuer, validFrom, validTo }: Chain[number]): string {
  return `${subject}, issued by ${issuer}, valid from ${dayOf(validFrom)} to ${dayOf(validTo)}`;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

export function handshakeWords({ protocol, cipher, error }: NonNullable<Evidence["tls"]>): string {
  const parts = [protocol, cipher, error && `refused: ${error}`].filter(Boolean);
  return parts.join(", ") || "No handshake";
}

/** The state of the location, in one line. */
export function selfWords(self: NonNullable<Evidence["self"]>): string {
  const { loopDelayMs, load, freeDescriptors, online, healthyElsewhere, failingElsewhere } = self;
  const parts = [
    online ? "online" : "offline",
    `load ${load.toFixed(2)}`,
    `checks late by ${formatLatency(loopDelayMs)}`,
    freeDescriptors !== null && `${formatNumber(freeDescriptors)} file descriptors free`,
    `of the other monitors, ${formatNumber(healthyElsewhere)} good and ${formatNumber(failingElsewhere)} failing`,
  ];
  return parts.filter(Boolean).join(", ");
}

export function placeOf({ location }: Pick<Evidence, "location">): string {
  return location === null ? "A deleted location" : locationLabel(location);
}

/** The headers whose values are not kept. */
export function otherHeaders({ headers, headerNames }: NonNullable<Evidence["http"]>): string[] {
  return headerNames.filter((name) => headers[name] === undefined);
}

/** Whether only the sentence was kept (behavior 22.6). */
export function isBare({ changes, dns, connections, path, tls, http, self, good }: Evidence): boolean {
  return changes.length === 0 && [dns, connections, path, tls, http, self, good].every((one) => one === null);
}

/** Evidence as plain text, for a ticket. @property name of the monitor @property link to the outage or the monitor */
export function evidenceText(evidence: Evidence, { name, link }: { name: string; link: string }): string {
  const { at, status, reason, layer, summary, dns, connections, path, tls, http, self, good } = evidence;
  const seen = `${texts.status.label[status]}${reason === null ? "" : ` (${reason.replaceAll("_", " ")})`}`;
  const other = http ? otherHeaders(http) : [];
  return [
    `${name}: ${summary}`,
    `Layer: ${layerLabels[layer]}`,
    `Seen: ${at}, ${placeOf(evidence)}, ${seen}`,
    good && `Last good check: ${good.at}`,
    link,
    ...section(
      "Before | now",
      comparedFacts(evidence).map(
        (one) => `${one.name}: ${one.before ?? "–"} | ${one.now ?? "–"}${one.isChanged ? " (changed)" : ""}`,
      ),
    ),
    ...section(
      "Connections after the check",
      connections?.map((one) => `${endpointOf(one)} ${connectionWords(one)}`),
    ),
    ...section(
      "Path",
      path?.map((one) => `${one.hop}. ${hopWords(one)}`),
    ),
    ...section("DNS", dns && [dnsWords(dns)]),
    ...section(
      "TLS",
      tls && [
        handshakeWords(tls),
        ...tls.chain.map((one) => `${certificateWords(one)}, SHA-256 ${one.fingerprint}`),
      ],
    ),
    ...section(
      "HTTP",
      http && [
        `Status code ${http.statusCode}`,
        ...Object.entries(http.headers).map(([header, value]) => `${header}: ${value}`),
        ...(other.length > 0 ? [`Other headers: ${other.join(", ")}`] : []),
      ],
    ),
    ...section("Body", http?.body ? http.body.split("\n") : null),
    ...section("Where it was checked", self && [selfWords(self)]),
  ]
    .filter((line) => line !== null)
    .join("\n");
}

function section(title: string, lines: readonly string[] | null | undefined): string[] {
  if (!lines || lines.length === 0) return [];
  return ["", title, ...lines.map((line) => `  ${line}`)];
}
