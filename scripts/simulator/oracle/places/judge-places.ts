import type { Ledger, SimMonitor, Violation } from "../../ledger.ts";
import { type OwnFaults, ownFaults, type Stretch } from "../own-faults.ts";
import { judgeUptime } from "../uptime.ts";
import { judgeConfirmations } from "./place-confirmation.ts";
import { judgePlaceResults } from "./place-results.ts";
import { judgeChain, judgeChanges, judgeMisses } from "./place-statuses.ts";
import { isDecided, votersOf } from "./voters.ts";

/**
 * Finds results of monitors with several locations that the truth of each location does not explain. Every rule is stated here
 * from docs/behavior, without the functions of the product that decide.
 */
export function findPlaceViolations(ledger: Ledger): Violation[] {
  const faults = ownFaults(ledger);
  return ledger.scenario.monitors
    .filter(({ places }) => places !== undefined)
    .flatMap((monitor) => judgeMonitor(monitor, ledger, faults));
}

function judgeMonitor(monitor: SimMonitor, ledger: Ledger, faults: OwnFaults): Violation[] {
  const { scenario } = ledger;
  const voters = votersOf(monitor, ledger, downtimesOf(faults));
  const deliveries = ledger.deliveries.filter((delivery) => delivery.monitor === monitor.name);
  const results = ledger.results.filter((result) => result.monitor === monitor.name);
  return [
    ...judgeChanges(monitor, deliveries, voters),
    ...judgeMisses(monitor, deliveries, { voters, scenario }),
    ...judgeChain(monitor, deliveries),
    ...judgeConfirmations(monitor, deliveries, { ledger, voters }),
    ...judgePlaceResults(monitor, { ledger, faults, voters }),
    ...judgeUptime(monitor, results, ledger),
    ...(ledger.statuses.get(monitor.name) === "unknown" && isDecided(voters.at(scenario.to))
      ? [
          {
            rule: "a connected location decides",
            at: scenario.to,
            monitor: monitor.name,
            text: "it is unknown",
          },
        ]
      : []),
  ];
}

/** The server takes nothing then, or notifies nobody. */
function downtimesOf({ absent, storage }: OwnFaults): Stretch[] {
  return [...absent, ...storage];
}
