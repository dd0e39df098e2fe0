import type { CHANGES } from "../../../../domain/evidence/evidence.ts";
import type { Evidence } from "../../data/api.ts";
import { fill, plural, texts } from "../../languages/texts.ts";
import { locationLabel } from "../../locations/location-label.ts";
import { formatLatency } from "../../ui/durations.ts";

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
  const words = texts.evidence.facts;
  const bytes = (size: string | number) => plural(texts.evidence.bytes, Number(size));
  const code = (value: number | null | undefined) => (value == null ? null : String(value));
  const size = (value: number | null | undefined) => (value == null ? null : bytes(value));
  const answer = dns && (dns.records.length > 0 ? listed(dns.records) : dns.code);
  return [
    fact(words.addresses, "addresses", { now: answer }),
    fact(words.address, "address", { before: good?.address ?? null }),
    fact(words.protocol, "protocol", { now: tls?.protocol ?? null }),
    fact(
      words.certificate,
      "certificate",
      { before: certificateOf(good?.certificate), now: certificateOf(tls?.chain[0]?.fingerprint) },
      (value) => certificateOf(String(value)) ?? "",
    ),
    fact(words.statusCode, "status_code", { before: code(good?.statusCode), now: code(http?.statusCode) }),
    fact(words.headers, "headers"),
    fact(words.size, "size", { before: size(good?.size), now: size(http?.size) }, bytes),
    fact(words.content, "content"),
    fact(words.phases, "phase", { before: good && phasesIn(good.phases) }),
  ].filter(({ before, now }) => before !== null || now !== null);
}

function listed(items: readonly string[]): string {
  return items.join(texts.common.comma);
}

function valueIn(
  value: Evidence["changes"][number]["now"] | undefined,
  shown: (value: string | number) => string,
): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? listed(value.map(shown)) || texts.evidence.compared.none : shown(value);
}

/** Characters of a fingerprint that tell two certificates apart. */
const FINGERPRINT = 23;

function certificateOf(fingerprint: string | null | undefined): string | null {
  if (!fingerprint) return null;
  return fingerprint.length > FINGERPRINT ? `${fingerprint.slice(0, FINGERPRINT)}…` : fingerprint;
}

const PHASES = ["resolve", "connect", "tls", "firstByte", "body"] as const;

function phasesIn(phases: NonNullable<Evidence["good"]>["phases"]): string | null {
  const parts = PHASES.flatMap((name) => {
    const took = phases[name];
    return took === undefined ? [] : [fill(texts.evidence.phases[name], { took: formatLatency(took) })];
  });
  return parts.length > 0 ? listed(parts) : null;
}

type Path = NonNullable<Evidence["path"]>;

export function hopWords({ address, rttMs }: Path[number]): string {
  const { silent, answered } = texts.evidence.hop;
  if (address === null) return silent;
  return rttMs === null ? address : fill(answered, { address, took: formatLatency(rttMs) });
}

export function connectionWords({ outcome, tookMs }: NonNullable<Evidence["connections"]>[number]): string {
  return fill(texts.evidence.connection[outcome], { took: formatLatency(tookMs) });
}

/** An address with a port, as in a URL. */
export function endpointOf({ address, port }: { address: string; port: number }): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

export function dnsWords({ server, code, records, tookMs }: NonNullable<Evidence["dns"]>): string {
  const { answer, answerFrom, noRecords } = texts.evidence.dns;
  const values = { code, took: formatLatency(tookMs), records: listed(records) || noRecords };
  return server === null ? fill(answer, values) : fill(answerFrom, { ...values, server });
}

type Chain = NonNullable<Evidence["tls"]>["chain"];

export function certificateWords({ subject, issuer, validFrom, validTo }: Chain[number]): string {
  return fill(texts.evidence.certificate, { subject, issuer, from: dayOf(validFrom), to: dayOf(validTo) });
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

export function handshakeWords({ protocol, cipher, error }: NonNullable<Evidence["tls"]>): string {
  const { refused, none } = texts.evidence.handshake;
  const parts = [protocol, cipher, error && fill(refused, { error })].filter((part) => part !== null);
  return listed(parts.filter(Boolean)) || none;
}

/** The state of the location, in one line. */
export function selfWords(self: NonNullable<Evidence["self"]>): string {
  const { loopDelayMs, load, freeDescriptors, online, healthyElsewhere, failingElsewhere } = self;
  const words = texts.evidence.self;
  return listed([
    online ? words.online : words.offline,
    fill(words.load, { load: load.toFixed(2) }),
    fill(words.late, { duration: formatLatency(loopDelayMs) }),
    ...(freeDescriptors === null ? [] : [plural(words.descriptors, freeDescriptors)]),
    fill(words.others, { good: healthyElsewhere, failing: failingElsewhere }),
  ]);
}

export function placeOf({ location }: Pick<Evidence, "location">): string {
  return location === null ? texts.evidence.deletedLocation : locationLabel(location);
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
  const words = texts.evidence.text;
  const parts = texts.evidence.parts;
  const other = http ? otherHeaders(http) : [];
  const seen = { time: at, place: placeOf(evidence), status: texts.status.label[status] };
  return [
    fill(words.title, { name, summary }),
    fill(words.layer, { layer: texts.evidence.layer[layer] }),
    reason === null
      ? fill(words.seen, seen)
      : fill(words.seenWithReason, { ...seen, reason: reason.replaceAll("_", " ") }),
    good && fill(words.lastGood, { time: good.at }),
    link,
    ...section(words.compared, comparedFacts(evidence).map(factText)),
    ...section(
      parts.connections,
      connections?.map((one) =>
        fill(words.connection, { endpoint: endpointOf(one), connection: connectionWords(one) }),
      ),
    ),
    ...section(
      parts.path,
      path?.map((one) => fill(words.hop, { number: one.hop, hop: hopWords(one) })),
    ),
    ...section(parts.dns, dns && [dnsWords(dns)]),
    ...section(
      parts.tls,
      tls && [
        handshakeWords(tls),
        ...tls.chain.map((one) =>
          fill(words.certificate, { certificate: certificateWords(one), fingerprint: one.fingerprint }),
        ),
      ],
    ),
    ...section(
      parts.http,
      http && [
        fill(texts.evidence.statusCode, { code: String(http.statusCode) }),
        ...Object.entries(http.headers).map(([header, value]) => `${header}: ${value}`),
        ...(other.length > 0 ? [fill(words.otherHeaders, { names: listed(other) })] : []),
      ],
    ),
    ...section(parts.body, http?.body ? http.body.split("\n") : null),
    ...section(parts.self, self && [selfWords(self)]),
  ]
    .filter((line) => line !== null)
    .join("\n");
}

function factText({ name, before, now, isChanged }: ComparedFact): string {
  const { fact, changedFact } = texts.evidence.text;
  return fill(isChanged ? changedFact : fact, { name, before: before ?? "–", now: now ?? "–" });
}

function section(title: string, lines: readonly string[] | null | undefined): string[] {
  if (!lines || lines.length === 0) return [];
  return ["", title, ...lines.map((line) => `  ${line}`)];
}
