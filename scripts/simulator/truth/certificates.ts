import type { Certificate } from "../../../src/domain/checks/certificate.ts";
import type { Sample, Segment, SimMonitor } from "../ledger.ts";
import { type Draw, hash, noise } from "./draw.ts";
import { failure } from "./endpoints.ts";
import { BLIP, drawSegments, OUTAGE, segmentFinder } from "./incidents.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];

/** How long before its end a certificate expires soon (behavior 1.35). */
const SOON = 14 * DAY;

type Server = Pick<SimMonitor, "type" | "config" | "segments" | "sample">;

interface Term {
  certificate: Certificate;
  validTo: number;
  /** When the server got it. */
  from: number;
  to: number;
}

/** The truth of a TLS monitor: certificates that are renewed in time or too late, and outages of the server. */
export function drawTlsServer(
  draw: Draw,
  { name, interval, from, to }: { name: string; interval: number; from: number; to: number },
): Server {
  const terms = drawTerms(draw, { from, to });
  const reachable = drawSegments(draw, { from, to }, [OUTAGE, BLIP]);
  const reachableAt = segmentFinder(reachable);
  const key = hash(`${name}${draw.fraction()}`);
  const usual = draw.spread(5, 200);
  const termAt = (at: number) => terms.findLast((term) => term.from <= at) ?? terms[0];
  return {
    type: "TLS",
    config: { host: `${name}.example`, port: 443, interval },
    segments: segmentsOf(reachable, terms),
    sample(startedAt): Sample {
      const share = noise(key, startedAt);
      const term = termAt(startedAt);
      if (!term || reachableAt(startedAt).kind === "down")
        return failure(share < 0.5 ? "refused" : "timeout", { share, interval });
      const latencyMs = Math.round(usual * (1 + 0.2 * share) * 1000) / 1000;
      const { certificate } = term;
      return {
        observation: { outcome: "certified", latencyMs, certificate, detail: { address: "192.0.2.1" } },
        tookMs: latencyMs,
      };
    },
  };
}

function drawTerms(draw: Draw, { from, to }: { from: number; to: number }): Term[] {
  const terms: Term[] = [];
  let at = from;
  // The first one is in the middle of its term.
  let left = Math.round(draw.spread(2, 60) * DAY);
  while (at < to) {
    const validTo = at + left;
    const renewedAt = Math.round(
      draw.chance(0.3) ? validTo + draw.spread(0.1, 3) * DAY : validTo - draw.between(0, 30) * DAY,
    );
    const end = Math.max(renewedAt, at + DAY);
    terms.push({
      certificate: certificate(terms.length, at - draw.spread(HOUR, DAY), validTo),
      validTo,
      from: at,
      to: Math.min(end, to),
    });
    at = end;
    left = Math.round(draw.pick([6, 47, 90] as const) * DAY);
  }
  return terms;
}

function certificate(number: number, validFrom: number, validTo: number): Certificate {
  return {
    authorized: true,
    authorizationError: null,
    subject: "CN=example",
    issuer: "CN=Example CA",
    names: ["example"],
    validFrom: new Date(Math.floor(validFrom / 1000) * 1000).toISOString(),
    validTo: new Date(validTo).toISOString(),
    fingerprint: `AA:${number}`,
    protocol: "TLSv1.3",
  };
}

function segmentsOf(reachable: readonly Segment[], terms: readonly Term[]): Segment[] {
  const stretches = terms.flatMap(({ from, to, validTo }) =>
    [
      { from, to: validTo - SOON, kind: "active" },
      { from: Math.max(from, validTo - SOON), to: validTo, kind: "expiring_soon" },
      { from: Math.max(from, validTo), to, kind: "expired" },
    ]
      .map((stretch) => ({ ...stretch, to: Math.min(stretch.to, to) }))
      .filter((stretch) => stretch.from < stretch.to),
  );
  return reachable.flatMap((segment) =>
    segment.kind === "down"
      ? [{ ...segment, kind: "no_cert" }]
      : stretches
          .map(({ from, to, kind }) => ({
            from: Math.max(from, segment.from),
            to: Math.min(to, segment.to),
            kind,
          }))
          .filter(({ from, to }) => from < to),
  );
}
