import type { Fault, Scenario, SimMonitor } from "../ledger.ts";
import { endOf, startOf } from "../truth/faults.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000];

/** No fault begins or lasts in this time at the new end, as in the scenarios themselves, so that everything is decided and sent. */
const CALM_END = 20 * MINUTE;

/** From the new start to the first fault. */
const CALM_START = MINUTE;

interface Span {
  from: number;
  to: number;
}

/** The part of a scenario that lies in a span. */
export function cut(scenario: Scenario, span: Span): Scenario {
  if (span.from === scenario.from && span.to === scenario.to) return scenario;
  const { locations, maintenances, requests, looks } = scenario;
  const first = span.from === scenario.from ? span.from : span.from + CALM_START;
  const last = span.to === scenario.to ? span.to : span.to - CALM_END;
  const isWithin = (one: Span) => first <= one.from && one.to <= last;
  return {
    ...scenario,
    ...span,
    monitors: scenario.monitors.map((monitor) => cutMonitor(monitor, span)),
    channels: scenario.channels.map((channel) => ({ ...channel, receiver: clipped(channel.receiver, span) })),
    faults: scenario.faults.flatMap((fault): Fault[] => {
      // It lasts to the end.
      if (fault.kind !== "kill" && fault.to > scenario.to)
        return first <= fault.from && fault.from < last ? [{ ...fault, to: span.to + HOUR }] : [];
      return isWithin({ from: startOf(fault), to: endOf(fault) }) ? [fault] : [];
    }),
    ...(locations && {
      locations: locations.map((location) => ({ ...location, faults: location.faults.filter(isWithin) })),
    }),
    ...(maintenances && {
      maintenances: maintenances.filter(
        ({ window }) => !("startsAt" in window) || (window.endsAt > span.from && window.startsAt < span.to),
      ),
    }),
    ...(requests && { requests: requests.filter(({ at }) => isWithin({ from: at, to: at })) }),
    ...(looks && { looks: looks.filter((at) => span.from <= at && at < span.to) }),
  };
}

function cutMonitor(monitor: SimMonitor, span: Span): SimMonitor {
  const { segments, checkins, starts, dead, plan } = monitor;
  const isWithin = ({ at }: { at: number }) => span.from <= at && at < span.to;
  return {
    ...monitor,
    ...(segments && { segments: clipped(segments, span) }),
    ...(checkins && { checkins: checkins.filter(isWithin) }),
    ...(starts && { starts: starts.filter(isWithin) }),
    ...(dead && { dead: clipped(dead, span) }),
    ...(plan && { plan: { ...plan, runs: plan.runs.filter(({ due }) => isWithin({ at: due })) } }),
  };
}

function clipped<One extends Span>(stretches: readonly One[], { from, to }: Span): One[] {
  return stretches
    .map((one) => ({ ...one, from: Math.max(from, one.from), to: Math.min(to, one.to) }))
    .filter((one) => one.from < one.to);
}
