import { checkTimeout } from "../../../src/domain/checks/check-slot.ts";
import type { Reason } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { Sample, SimMonitor } from "../ledger.ts";
import { type Draw, hash, noise } from "./draw.ts";
import { BLIP, drawSegments, OUTAGE, SLOW_SPELL, segmentFinder } from "./incidents.ts";

const REASONS = ["refused", "timeout", "reset", "closed", "unreachable", "dns_not_found"] as const;

type Endpoint = Pick<SimMonitor, "type" | "config" | "segments" | "sample">;

/** The truth of an HTTP or TCP monitor: outages, blips and slow spells. @param interval seconds */
export function drawEndpoint(
  draw: Draw,
  { name, interval, ...span }: { name: string; interval: number; from: number; to: number },
): Endpoint {
  const isHttp = draw.chance(0.6);
  const config = isHttp
    ? { url: `https://${name}.example/`, interval }
    : { host: `${name}.example`, port: 5432, interval };
  const segments = drawSegments(draw, span, [OUTAGE, BLIP, SLOW_SPELL]);
  const segmentAt = segmentFinder(segments);
  // Slow targets are the ones whose checks a fault hits.
  const usual = draw.chance(0.2) ? draw.spread(500, 2200) : draw.spread(2, 400);
  const jitter = draw.between(0.02, 0.3);
  const key = hash(`${name}${draw.fraction()}`);
  const reasons = segments.map(() => draw.pick(REASONS));
  return {
    type: isHttp ? "HTTP" : "TCP",
    config: config as MonitorConfig,
    segments,
    sample(startedAt): Sample {
      const segment = segmentAt(startedAt);
      const share = noise(key, startedAt);
      if (segment.kind === "down")
        return failure(reasons[segments.indexOf(segment)] ?? "refused", { share, interval });
      const factor = segment.kind === "slow" ? 3 + share : 1 + jitter * (share - 0.5);
      const latencyMs = Math.round((usual * factor + (segment.kind === "slow" ? 120 : 0)) * 1000) / 1000;
      const detail = { address: "192.0.2.1", ...(isHttp && { statusCode: 200 }) };
      if (latencyMs >= checkTimeout({ interval })) return failure("timeout", { share, interval });
      return { observation: { outcome: "reached", latencyMs, detail }, tookMs: latencyMs };
    },
  };
}

/** A check without an answer. @param share decides how long it takes, except for a timeout */
export function failure(reason: Reason, { share, interval }: { share: number; interval: number }): Sample {
  const timeout = checkTimeout({ interval });
  const tookMs = reason === "timeout" ? timeout : 1 + share * Math.min(3000, timeout - 1);
  return { observation: { outcome: "failed", reason, detail: { message: reason } }, tookMs };
}
