import type { Evidence } from "../checks/observation.ts";
import { changesOf } from "./changes.ts";
import {
  type Change,
  type CheckFacts,
  type DnsFacts,
  type Good,
  type KeptEvidence,
  type Look,
  NOTHING_LOOKED,
  type SelfFacts,
  type TlsEvidence,
  type Why,
} from "./evidence.ts";
import { explain } from "./explain.ts";
import { type Failure, ofFailedStep, withoutHeaders } from "./failure.ts";
import { secretHider } from "./secrets.ts";

/** The facts of evidence, as they are stored: with all that a look needs to explain it again. */
export interface EvidenceData {
  observation: Evidence;
  seen: Failure["seen"];
  known: readonly string[] | null;
  good: Good | null;
  changes: Change[];
  look: Look;
  self: SelfFacts | null;
}

/** Evidence that is to be stored, without any secret of the config. */
export interface MadeEvidence extends Why {
  data: EvidenceData;
}

/** Explains a failure (behavior 22.2, 22.3). What servers wrote is freed of the secrets of the config before anything is read of it. */
export function makeEvidence(failure: Failure, self: SelfFacts | null = null): MadeEvidence {
  const { config, good, known, look } = failure;
  const hide = secretHider(config);
  const observation = bounded(cleaned(withoutSample(failure.observation), hide));
  const seen = cleaned(failure.seen, hide);
  const clean: Failure = { ...failure, observation, seen };
  const shown = ofFailedStep(clean);
  const why = explain(shown);
  const changes = cleaned(changesOf(shown), hide);
  return { ...shownWhy(why, hide), data: { observation, seen, known, good, changes, look, self } };
}

/** The layer and the summary of a failure of which nothing else is kept: there may be thousands at once. */
export function explainAlone(failure: Failure): Why {
  const hide = secretHider(failure.config);
  return shownWhy(explain(ofFailedStep({ ...failure, seen: cleaned(failure.seen, hide) })), hide);
}

function shownWhy({ layer, summary }: Why, hide: Hide): Why {
  return { layer, summary: oneLine(hide(summary, { isCut: true })) };
}

type Hide = ReturnType<typeof secretHider>;

/** Explains stored evidence again, after its location looked once more. @param config of the monitor, with the same target */
export function afterLook(
  { observation, seen, known, good }: EvidenceData,
  {
    look,
    self,
    ...monitor
  }: Pick<Failure, "type" | "config" | "doOtherPortsAnswer"> & { look: Look; self: SelfFacts | null },
): MadeEvidence {
  return makeEvidence({ ...monitor, observation, seen, known, good, look }, self);
}

/** Words of stillup, which a secret may be equal to. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  "outcome",
  "reason",
  "step",
  "status",
  "what",
  "recordType",
  "failure",
  "fingerprint",
  "validFrom",
  "validTo",
]);

/** A copy in which no text has a secret of a config. */
function cleaned<Value>(value: Value, hide: Hide): Value {
  const clean = (one: unknown): unknown => {
    if (typeof one === "string") return hide(one);
    if (Array.isArray(one)) return one.map(clean);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, field]) => [name, OWN_WORDS.has(name) ? field : clean(field)]),
    );
  };
  return clean(value) as Value;
}

function withoutSample(observation: Evidence): Evidence {
  if (!("sample" in observation)) return observation;
  const { sample: _, ...others } = observation;
  return others;
}

/** How many records, certificates and names are kept, and how many characters of each text. */
const MOST = { entries: 40, text: 2048 };

/** Certificates and answers of the DNS may have thousands of names. */
function bounded<Value>(value: Value): Value {
  if (typeof value === "string") return value.slice(0, MOST.text) as Value;
  if (Array.isArray(value)) return value.slice(0, MOST.entries).map(bounded) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, bounded(field)])) as Value;
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").toWellFormed();
}

/** Parts of evidence in the order in which they are left out if it is too large. */
const CUTS: readonly ((facts: CheckFacts) => CheckFacts)[] = [
  withBody(512),
  withBody(0),
  (facts) =>
    facts.tls ? { ...facts, tls: { ...facts.tls, chain: facts.tls.chain.slice(0, 1), names: [] } } : facts,
  (facts) => (facts.http ? { ...facts, http: { ...facts.http, headerNames: [] } } : facts),
  (facts) => ({ ...facts, dns: facts.dns && { ...facts.dns, records: facts.dns.records.slice(0, 3) } }),
  (facts) => ({ ...facts, http: facts.http && { ...facts.http, headers: {} }, tls: null }),
];

function withBody(length: number) {
  return (facts: CheckFacts): CheckFacts =>
    facts.http?.body
      ? { ...facts, http: { ...facts.http, body: facts.http.body.slice(0, length) || null } }
      : facts;
}

/**
 * Cuts evidence until it is small enough: the body first, then the chain, then names of headers.
 *
 * @param isSmall whether it is
 * @returns null if nothing is small enough
 */
export function cutEvidence(
  data: EvidenceData,
  isSmall: (data: EvidenceData) => boolean,
): EvidenceData | null {
  let cut = data;
  for (const step of [null, ...CUTS]) {
    if (step) cut = { ...cut, observation: cutFacts(cut.observation, step) };
    if (isSmall(cut)) return cut;
  }
  const last = { ...cut, changes: [], known: null, good: cut.good && withoutHeaders(cut.good) };
  return isSmall(last) ? last : null;
}

function cutFacts(observation: Evidence, cut: (facts: CheckFacts) => CheckFacts): Evidence {
  if (observation.outcome === "failed")
    return observation.facts ? { ...observation, facts: cut(observation.facts) } : observation;
  if (observation.outcome !== "by_address") return observation;
  const addresses = observation.addresses.map(({ address, evidence }) => {
    return { address, evidence: cutFacts(evidence, cut) as typeof evidence };
  });
  return { ...observation, addresses };
}

type Facts = Pick<
  KeptEvidence,
  "changes" | "dns" | "connections" | "path" | "tls" | "http" | "self" | "good"
>;

/** Evidence of which only the layer and the summary were kept. */
const NO_FACTS: Facts = {
  changes: [],
  dns: null,
  ...NOTHING_LOOKED,
  tls: null,
  http: null,
  self: null,
  good: null,
};

/** @param data null if only the layer and the summary were kept */
export function factsOf(data: EvidenceData | null): Facts {
  if (!data) return NO_FACTS;
  const { changes, look, self, good } = data;
  const observation = shownObservation(data.observation);
  const facts = observation.outcome === "failed" ? observation.facts : undefined;
  return {
    changes,
    dns: facts?.dns ?? lookupIn(observation),
    ...look,
    tls: facts?.tls ?? handshakeIn(observation),
    http: facts?.http ?? null,
    self,
    good,
  };
}

/** The first of several addresses that failed. */
function shownObservation(observation: Evidence): Evidence {
  if (observation.outcome !== "by_address") return observation;
  const [first] = observation.addresses;
  const failed = observation.addresses.find(({ evidence }) => evidence.outcome === "failed") ?? first;
  return failed?.evidence ?? observation;
}

/** The answer to a DNS monitor. Only an answer without a record has more than its records. */
function lookupIn(observation: Evidence): DnsFacts | null {
  if (observation.outcome !== "looked_up") return null;
  const { answer, dns = { server: null, code: "NOERROR", records: [], tookMs: 0 } } = observation;
  const records = answer.lookups.flatMap(({ values }) => values).slice(0, MOST.entries);
  return { ...dns, records };
}

/** A handshake that did not fail, for example with a certificate that ends soon. */
function handshakeIn(observation: Evidence): TlsEvidence | null {
  const certificate = "certificate" in observation ? observation.certificate : undefined;
  const tls = "tls" in observation ? observation.tls : undefined;
  if (!certificate && !tls) return null;
  const { subject = "", issuer = "", validFrom = "", validTo = "", fingerprint = "" } = certificate ?? {};
  return {
    protocol: certificate?.protocol ?? tls?.protocol ?? null,
    cipher: tls?.cipher ?? null,
    chain: certificate ? [{ subject, issuer, validFrom, validTo, fingerprint }] : [],
    error: certificate?.authorizationError ?? null,
  };
}
