import { DAY } from "../duration.ts";
import type { ContentMemory } from "./content-memory.ts";
import type { Memory } from "./judge.ts";
import type { Evidence } from "./observation.ts";

/** Values of good checks of a target: evidence needs them (behavior 22.4), and what is watched is judged by them. */
export interface TargetMemory {
  /** The addresses that the DNS gave, with the day of the last time: days since 1970. */
  told?: Record<string, number>;
  /** The fingerprint of the certificate of the server. A TLS monitor has it among its valid certificates. */
  fingerprint?: string;
  /** The contents that an HTTP monitor watches, in the order of its config. */
  contents?: ContentMemory[];
}

/** An address that no good check of so many days was given is forgotten. */
const KEPT_DAYS = 7;

const MAX_ADDRESSES = 100;

/**
 * The memory after a good check.
 *
 * @param now milliseconds since 1970
 * @returns the same object if nothing is to be written: no address is new, and none has waited for its day for more than a day
 */
export function rememberTarget(memory: Memory | null, evidence: Evidence, now: number): Memory | null {
  const told = toldAfter(memory?.told, toldIn(evidence), Math.floor(now / DAY));
  const fingerprint = fingerprintIn(evidence) ?? memory?.fingerprint;
  if (told === memory?.told && fingerprint === memory?.fingerprint) return memory;
  return { ...memory, ...(told && { told }), ...(fingerprint !== undefined && { fingerprint }) };
}

function toldAfter(
  before: TargetMemory["told"],
  addresses: readonly string[],
  day: number,
): TargetMemory["told"] {
  const isCurrent = (address: string) => (before?.[address] ?? Number.NEGATIVE_INFINITY) >= day - 1;
  if (addresses.every(isCurrent)) return before;
  const kept = Object.entries(before ?? {}).filter(([, last]) => last >= day - KEPT_DAYS);
  const all = { ...Object.fromEntries(kept), ...Object.fromEntries(addresses.map((one) => [one, day])) };
  const latest = Object.entries(all).sort(([, one], [, other]) => other - one);
  return Object.fromEntries(latest.slice(0, MAX_ADDRESSES));
}

/** The addresses that good checks of the trailing 7 days were given; null if that is not known. @param now milliseconds since 1970 */
export function knownAddresses(memory: Memory | null, now: number): string[] | null {
  const day = Math.floor(now / DAY);
  const known = Object.entries(memory?.told ?? {}).flatMap(([address, last]) =>
    last >= day - KEPT_DAYS ? [address] : [],
  );
  return known.length > 0 ? known : null;
}

function toldIn(evidence: Evidence): readonly string[] {
  if (evidence.outcome === "by_address") return evidence.addresses.map(({ address }) => address);
  return ("told" in evidence && evidence.told) || [];
}

/** The certificate that a good check saw. Several addresses may have several: then none of them is the usual one. */
function fingerprintIn(evidence: Evidence): string | undefined {
  if (evidence.outcome === "by_address") {
    const all = new Set(evidence.addresses.map((one) => fingerprintIn(one.evidence)));
    return all.size === 1 ? [...all][0] : undefined;
  }
  if (evidence.outcome === "certified") return undefined;
  const certificate = "certificate" in evidence ? evidence.certificate : undefined;
  const tls = "tls" in evidence ? evidence.tls : undefined;
  return certificate?.fingerprint ?? tls?.fingerprint;
}
