import type { Ledger, SimMonitor, Violation } from "../../ledger.ts";
import { judgeEvidence } from "../evidence.ts";
import { extended, ownFaults, without } from "../own-faults.ts";
import { judgeAllowed, judgeRepetitions, judgeStale } from "./allowed.ts";
import { judgeHistory } from "./history.ts";
import { judgeIncidents } from "./incidents.ts";
import { judgeRuns } from "./judge-runs.ts";
import { judgeLooks } from "./looks.ts";
import { judgeRecovery, judgeReminders, judgeTrouble } from "./required.ts";
import { acknowledgedOf } from "./situation.ts";
import { found, Whole } from "./whole.ts";

/**
 * Finds what the truth of a whole world does not explain: statuses, notifications, incidents, outages, figures and pages. It
 * uses nothing that was recorded, except as what is judged.
 */
export function findWholeViolations(ledger: Ledger): Violation[] {
  const whole = new Whole(ledger);
  const ofPairs = [...whole.subjects.values()].flatMap((subject) => {
    const acknowledged = acknowledgedOf(subject);
    return whole.inboxes.flatMap((inbox) => {
      const received = inbox.received.filter(({ monitor }) => monitor === subject.monitor.name);
      const bound = subject.bound(inbox.channel.name);
      const context = { subject, whole, inbox, received, acknowledged, bound, channel: inbox.channel.name };
      return [
        ...judgeAllowed(received, context),
        ...judgeStale(received, context),
        ...judgeRepetitions(received, context),
        ...judgeTrouble(context),
        ...judgeRecovery(context),
        ...judgeReminders(context),
      ];
    });
  });
  return [
    ...ofPairs,
    ...whole.inboxes.flatMap((inbox) => judgeIncidents(inbox, whole)),
    ...judgeLooks(whole),
    ...judgeHistory(whole),
    ...judgeRuns(whole),
    ...judgeDemand(whole),
    ...judgeEvidence(ledger, ownFaults(ledger)),
  ].sort((a, b) => a.at - b.at);
}

/** How many of the checks that its intervals give a monitor must run at least. */
const DEMANDED_SHARE = 0.8;

/** A run that checks too little proves nothing. */
function judgeDemand(whole: Whole): Violation[] {
  const counts = Map.groupBy(whole.ledger.checks, ({ monitor }) => monitor);
  return demandsOf(whole).flatMap(({ monitor, until, checks }) => {
    const made = counts.get(monitor.name)?.length ?? 0;
    const text = `${made} checks instead of ${checks} at least`;
    return made >= checks ? [] : [found("a monitor is checked", until, { monitor, text })];
  });
}

/** How many checks the monitors demand at least, as they were edited. */
export function wholeDemand(ledger: Ledger): number {
  return demandsOf(new Whole(ledger)).reduce((sum, { checks }) => sum + checks, 0);
}

function demandsOf({ subjects, disturbed }: Whole): { monitor: SimMonitor; until: number; checks: number }[] {
  return [...subjects.values()].flatMap(({ monitor, paces, pauses, span, until, isJob }) => {
    if (isJob) return [];
    const interval = Math.max(...[monitor.config, ...paces].map((pace) => pace.interval ?? 0)) * 1000;
    const free = without({ from: span.from, to: until }, [...disturbed, ...extended(pauses, 0)]);
    const time = free.reduce((sum, { from, to }) => sum + to - from, 0);
    return [{ monitor, until, checks: Math.floor((DEMANDED_SHARE * time) / interval) }];
  });
}
