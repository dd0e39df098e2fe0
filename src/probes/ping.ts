import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { openAny, resolveTarget } from "./connections/dial.ts";
import { observe, type ProbeInput } from "./observe.ts";
import type { PingSeries } from "./ping/ping-series.ts";
import { ProbeError } from "./probe-error.ts";

/**
 * Pings a host by ICMP. Of several addresses, the first one that replies is pinged (behavior 20.30). The latency is the mean of the round
 * trips, from the sending to the arrival of the reply in the kernel (20.31).
 */
export function probePing(
  { host, count = 3, size = 32 }: MonitorConfig<"TCP">,
  input: ProbeInput,
): Promise<Observation> {
  return observe(input, async (context) => {
    const addresses = await resolveTarget({ host }, context);
    // The latency does not include the DNS.
    context.lateBy = 0;
    context.waitingFor = "reply";
    loading ??= load();
    const Series = await loading;
    const started: PingSeries[] = [];
    let isLate = false;
    context.onTimeout = () => {
      isLate = true;
      for (const series of started) series.finish();
    };
    const series = await openAny(addresses, context, async (address, lifetime) => {
      // An address that failed at the timeout is followed by the next one.
      if (isLate) throw new ProbeError("timeout", `no reply to a ping within ${context.timeout / 1000} s`);
      const one = new Series(address, { count, size }, context.timeout);
      started.push(one);
      lifetime.add(one);
      return one.firstReply;
    });
    await series.end;
    const fault = series.ownFault();
    if (fault) throw fault;
    const ping = series.facts();
    return { outcome: "reached", latencyMs: ping.avgMs, detail: { ping } };
  });
}

let loading: ReturnType<typeof load> | undefined;

/** The code of pings, which is loaded at the first one, because most servers send none. */
async function load(): Promise<typeof PingSeries> {
  try {
    const { enablePacketTimes } = await import("./ping/packet-times.ts");
    await enablePacketTimes();
    return (await import("./ping/ping-series.ts")).PingSeries;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}
