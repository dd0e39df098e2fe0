import { isIP } from "node:net";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { Scenario, SimMonitor } from "../ledger.ts";
import { createDraw, type Draw } from "./draw.ts";
import { drawEndpoint } from "./endpoints.ts";
import { drawName } from "./names.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000];

/**
 * Some hours in which the DNS server dies alone and stays dead, while all targets stay as they are. Some targets are checked by
 * their address.
 */
export function drawBlind({
  seed,
  hours = 2,
  monitors = 6,
}: {
  seed: number;
  hours?: number;
  monitors?: number;
}): Scenario {
  const draw = createDraw(`blind ${seed}`);
  const from = Date.parse("2026-06-08T00:00:00Z") + Math.round(draw.fraction() * HOUR);
  const span = { from, to: from + hours * HOUR };
  const died = Math.round(draw.between(from + 10 * MINUTE, span.to - 30 * MINUTE));
  const receiver = [{ ...span, answers: "ok" as const }];
  return {
    seed,
    ...span,
    channels: [{ name: "hook", type: "WEBHOOK", notifyOn: ["down", "warning", "healthy"], receiver }],
    monitors: Array.from({ length: monitors }, (_, number) => drawMonitor(draw.fork(number), number, span)),
    blind: true,
    faults: [{ kind: "resolver-silent", from: died, to: span.to + HOUR }],
  };
}

function drawMonitor(draw: Draw, number: number, span: { from: number; to: number }): SimMonitor {
  const name = `monitor-${number}`;
  const interval = draw.pick([10, 30, 60, 120, 300] as const);
  const shared = { name, channelNames: ["hook"] };
  if (number % 3 === 2) return { ...shared, ...drawName(draw, { name, interval, ...span }) };
  const endpoint = drawEndpoint(draw, { name, interval, ...span });
  if (number % 3 === 0) return { ...shared, ...endpoint };
  const config = { host: `192.0.2.${number + 10}`, port: 443, interval } as MonitorConfig;
  return { ...shared, ...endpoint, type: "TCP", config };
}

/** Whether a check asks a DNS server for its target. */
export function needsResolver(config: object): boolean {
  const { url, host, hostname } = config as { url?: string; host?: string; hostname?: string };
  const name = hostname ?? host ?? new URL(url ?? "http://target.example").hostname;
  return isIP(name) === 0;
}
