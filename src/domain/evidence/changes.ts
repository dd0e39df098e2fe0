import type { Change, ChangeValue, Good } from "./evidence.ts";
import { grownPhase } from "./explain.ts";
import type { Failure } from "./failure.ts";

/** The most addresses that a change lists. */
const MAX_ADDRESSES = 6;

/** The version and the certificate of a handshake. */
interface SeenTls {
  protocol: string | null;
  certificate: string | null;
}

/** The differences from the last good check of the location (behavior 22.3); none without one. */
export function changesOf(failure: Failure): Change[] {
  const { good, seen } = failure;
  if (!good) return [];
  const { address, statusCode } = seen.detail ?? {};
  const tls = tlsIn(failure);
  return [
    ...newAddresses(failure),
    ...changed("address", good.address, textOf(address)),
    ...changed("certificate", good.certificate, tls.certificate),
    ...changed("protocol", good.protocol, tls.protocol),
    ...changed("status_code", good.statusCode, typeof statusCode === "number" ? statusCode : null),
    ...otherHeaders(failure, good),
    ...changed("size", good.size, sizeIn(failure)),
    ...unexpectedContent(failure),
    ...slowerPhase(failure, good),
  ];
}

/** A value that was not read, now or before, is no difference. */
function changed<Value extends string | number>(
  what: Change["what"],
  before: Value | null,
  now: Value | null,
): Change[] {
  return before === null || now === null || before === now ? [] : [{ what, before, now }];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function newAddresses({ observation, known }: Failure): Change[] {
  const told = "told" in observation ? observation.told : undefined;
  if (!known || known.length === 0 || !told || told.every((one) => known.includes(one))) return [];
  const shown = (all: readonly string[]): ChangeValue => [...all].sort().slice(0, MAX_ADDRESSES);
  return [{ what: "addresses", before: shown(known), now: shown(told) }];
}

function tlsIn({ observation }: Failure): SeenTls {
  const facts = observation.outcome === "failed" ? observation.facts?.tls : undefined;
  const [leaf] = facts?.chain ?? [];
  const isRedirected = observation.outcome === "failed" && observation.facts?.isRedirected === true;
  if (leaf && !isRedirected) return { certificate: leaf.fingerprint, protocol: facts?.protocol ?? null };
  const certificate = "certificate" in observation ? observation.certificate : undefined;
  const tls = "tls" in observation ? observation.tls : undefined;
  return {
    certificate: certificate?.fingerprint ?? null,
    protocol: certificate?.protocol ?? tls?.protocol ?? null,
  };
}

function sizeIn({ observation }: Failure): number | null {
  return observation.outcome === "failed" ? (observation.facts?.http?.size ?? null) : null;
}

/** Only names: a value may be about a person. */
function otherHeaders({ observation }: Failure, { headerNames }: Good): Change[] {
  const seen =
    observation.outcome === "failed"
      ? observation.facts?.http?.headerNames
      : "headerNames" in observation && observation.headerNames;
  // Every answer with a head has a name: without one, the head did not arrive.
  if (headerNames === undefined || !seen || seen.length === 0) return [];
  const [before, now] = [headerNames.split("\n").sort(), seen.toSorted()];
  return before.join() === now.join() ? [] : [{ what: "headers", before, now }];
}

/** Records that are new, or what a body lacks or has. */
function unexpectedContent({ observation, seen }: Failure): Change[] {
  const { message, added, gone } = seen.detail ?? {};
  if (seen.status === "changed" && Array.isArray(added) && Array.isArray(gone))
    return [{ what: "content", before: gone.map(String), now: added.map(String) }];
  const isContent =
    observation.outcome === "failed" &&
    observation.reason === "unexpected" &&
    observation.facts?.step === "body";
  return isContent && typeof message === "string" ? [{ what: "content", before: null, now: message }] : [];
}

function slowerPhase({ seen }: Failure, good: Good): Change[] {
  if (seen.status !== "degraded") return [];
  const grown = grownPhase(good.phases, seen.detail?.phases ?? {});
  if (!grown) return [];
  const inWords = (ms: number) => `${grown.phase} ${Math.round(ms * 10) / 10} ms`;
  return [{ what: "phase", before: inWords(grown.before), now: inWords(grown.now) }];
}
