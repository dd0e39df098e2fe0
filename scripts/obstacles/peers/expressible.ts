import type { Status } from "../../../src/domain/monitors/status.ts";
import type { Scenario, Truth } from "../scenario.ts";
import type { Spot } from "../world/spot.ts";
import { moduleOf } from "./blackbox-module.ts";

/** A probe succeeds or not, and may say when a certificate ends. Other statuses can't be expressed. */
const STATUSES: Partial<Record<Status, Status>> = {
  ...{ up: "up", active: "up", present: "up" },
  ...{ down: "down", missing: "down", no_cert: "down", expired: "down" },
  expiring_soon: "expiring_soon",
};

/**
 * The scenario in the words of another monitor, which knows no reasons.
 *
 * @returns undefined if it can't have one of the monitors, or can't say one of the truths
 */
export function expressible(scenario: Scenario, spot: Spot): Scenario | undefined {
  if (scenario.server || scenario.channel) return undefined;
  const monitors = Object.values(scenario.monitors).map((create) => create(spot));
  const world = { authority: "", dns: spot.dnsAddress };
  if (!monitors.every((monitor) => moduleOf(monitor, world))) return undefined;
  const stages = scenario.stages.map((stage) => {
    const truths = Object.entries(stage.truths).map(([label, truth]) => [label, truthOf(truth)] as const);
    return { ...stage, truths: Object.fromEntries(truths) };
  });
  const isWhole = stages.every(({ truths }) => Object.values(truths).every(Boolean));
  return isWhole ? { ...scenario, stages: stages as Scenario["stages"] } : undefined;
}

function truthOf({ status, also = [], sees = [], isSilent, within, isUnseen }: Truth): Truth | undefined {
  const own = STATUSES[status];
  if (!own) return undefined;
  const known = (all: Status[]) => all.flatMap((one) => STATUSES[one] ?? []);
  return {
    ...{ status: own, also: known(also), sees: known(sees) },
    ...(isSilent && { isSilent }),
    ...(isUnseen && { isUnseen }),
    ...(within !== undefined && { within }),
  };
}
