import { cycleFaults } from "./cycles.ts";
import { type Fault, FaultsError } from "./fault.ts";
import { historyFaults, type NewHistory } from "./history.ts";
import { assertSubscription, limitFaults } from "./limits.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import type { ApplyPlan, PlannedMonitor, PruneMode, Step } from "./plan.ts";
import { planChannels } from "./plan-channels.ts";
import { planMaintenances } from "./plan-maintenances.ts";
import { planMonitors } from "./plan-monitors.ts";
import { planPages } from "./plan-pages.ts";
import { planDeletions } from "./prune.ts";
import { referenceFaults } from "./references.ts";
import type { StoredConfiguration } from "./stored-configuration.ts";

/**
 * Compares a document with what is stored, and plans what to write (behavior 16.30), in steps between which other work can run: it
 * may take hundreds of milliseconds.
 *
 * @param parsed a document and the faults that it has by itself
 * @param now milliseconds since 1970
 * @throws FaultsError with all faults; AppError `no_subscription`
 */
export function* planApply(
  { document, faults: own }: { document: ParsedDocument; faults: readonly Fault[] },
  stored: StoredConfiguration,
  { prune, now }: { prune: PruneMode; now: number },
): Generator<void, ApplyPlan> {
  const { deletions, faults: braked } = planDeletions(document, stored, prune);
  const channels = planChannels(document, stored);
  const monitors = yield* planMonitors(document, stored, deletions);
  yield;
  const maintenances = planMaintenances(document, stored, now);
  const pages = planPages(document, stored, deletions);
  const history = newHistory(document, monitors.steps);
  yield;
  const found = [own, ...[channels, monitors, maintenances, pages].map((planned) => planned.faults)];
  found.push(referenceFaults(document, stored, deletions));
  yield;
  found.push(cycleFaults(document, stored, deletions));
  yield;
  const faults = [...found, historyFaults(history, now), braked].flat();
  if (faults.length > 0) throw new FaultsError(inOrder(faults));
  const created = { channels: channels.steps, monitors: monitors.steps };
  assertSubscription(created, stored);
  const limits = limitFaults(created, stored, deletions);
  if (limits.length > 0) throw new FaultsError(limits, "limit_reached");
  return { ...created, maintenances: maintenances.steps, pages: pages.steps, deletions, history };
}

/** That of the monitors that are created: a second apply ignores it (behavior 16.45). */
function newHistory(
  { history }: ParsedDocument,
  steps: readonly Step<PlannedMonitor>[],
): Map<string, NewHistory> {
  const created = steps.flatMap(({ id, ref }) => (id === null ? [ref] : []));
  return new Map(
    created.flatMap((ref) => {
      const days = history.get(ref);
      return days ? [[ref, days] as const] : [];
    }),
  );
}

const ORDER = ["$", "defaults", "channels", "monitors", "maintenances", "pages", "history"];

/** By section. Those of one section keep their order. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const place = ({ path }: Fault) => ORDER.findIndex((name) => path.startsWith(name));
  return faults.toSorted((one, other) => place(one) - place(other));
}
