import type { Ledger, Pace, SimMonitor, SimRequest } from "../../ledger.ts";
import { accepted, type Pause, pausesOf } from "../calm/spells.ts";
import { type Known, united } from "../calm/stretches.ts";
import { isSelected, type Run, windowsOfMonitor } from "../calm/windows.ts";
import { doneBy, type OwnFaults, type Stretch } from "../own-faults.ts";
import { firstCheckWithin } from "./target-sight.ts";

const SECOND = 1000;

/** How long a request may take until it has its effect, and how much earlier it may have it; milliseconds. */
const MARGIN = 2 * SECOND;

/** The requests of operators about a monitor, and the faults of the server that concern it. */
export interface MonitorLife {
  monitor: SimMonitor;
  isJob: boolean;
  ledger: Ledger;
  faults: OwnFaults;
  span: Stretch;
  /** When it was deleted, or the end. */
  until: number;
  /** All paces that edits gave it. */
  paces: Pace[];
  /** Faults of the server with the time that it then needs, and edits, after which suspicions begin again. */
  disturbed: Stretch[];
  pauses: Pause[];
  /** Pauses, and the time until the first check after them: any status is possible. */
  free: Stretch[];
  /** The windows of maintenances that it is in. */
  runs: Run[];
  inWindow: Known;
  /** When a channel is to be notified. */
  bound(channel: string): Known;
}

export function lifeOf(
  monitor: SimMonitor,
  {
    ledger,
    faults,
    disturbed,
    runs,
  }: { ledger: Ledger; faults: OwnFaults; disturbed: Stretch[]; runs: Run[] },
): MonitorLife {
  const { name } = monitor;
  const { from, to } = ledger.scenario;
  const edits = editsOf(name, ledger);
  const pauses = pausesOf(name, ledger);
  const deletion = accepted(ledger, "delete").find(({ request }) => request.monitor === name);
  const restarts = edits.map((edit) => ({ from: edit.from, to: edit.to + MARGIN }));
  const allDisturbed = united([...disturbed, ...restarts]);
  return {
    ...{ monitor, ledger, faults, pauses },
    isJob: monitor.type === "SCHEDULED",
    span: { from, to },
    until: deletion?.from ?? to,
    paces: edits.map(({ pace }) => pace),
    disturbed: allDisturbed,
    free: pauses.map((pause) => ({
      from: pause.from - MARGIN,
      to: doneBy(pause.to, firstCheckWithin(monitor), allDisturbed),
    })),
    runs: runs.filter(({ maintenance }) => isSelected(maintenance, monitor)),
    inWindow: windowsOfMonitor(monitor, runs),
    bound: (channel) => boundOf(monitor, channel, ledger),
  };
}

/** Every edit of a monitor, by a request or a document. */
function editsOf(monitor: string, ledger: Ledger): (Stretch & { pace: Pace })[] {
  const single = accepted(ledger, "edit").map(({ request, ...when }) => ({ ...when, edits: [request] }));
  const documents = accepted(ledger, "apply").map(({ request: { edits }, ...when }) => ({ ...when, edits }));
  return [...single, ...documents].flatMap(({ edits, from, to }) =>
    edits.filter((edit) => edit.monitor === monitor).map(({ changes }) => ({ from, to, pace: changes })),
  );
}

function boundOf({ name, channelNames }: SimMonitor, channel: string, ledger: Ledger): Known {
  const { from, to } = ledger.scenario;
  const changes = accepted(ledger, "bind").filter(({ request }) => request.monitor === name);
  const states = [
    { since: from, settledAt: from, isBound: channelNames.includes(channel) },
    ...changes.map(({ request, ...when }) => ({
      since: when.from,
      settledAt: when.to + MARGIN,
      isBound: request.channels.includes(channel),
    })),
  ];
  const known: Known = { surely: [], possibly: [] };
  for (const [place, { since, settledAt, isBound }] of states.entries()) {
    if (!isBound) continue;
    const next = states[place + 1];
    known.surely.push({ from: settledAt, to: next?.since ?? to });
    known.possibly.push({ from: since, to: next?.settledAt ?? to + MARGIN });
  }
  const isLasting = (stretch: Stretch) => stretch.from < stretch.to;
  return { surely: united(known.surely.filter(isLasting)), possibly: united(known.possibly) };
}

/** The requests of one kind about a monitor that had an effect. */
export function requestsAbout<Kind extends Extract<SimRequest, { monitor: string }>["kind"]>(
  monitor: string,
  ledger: Ledger,
  kind: Kind,
) {
  return accepted(ledger, kind).filter(({ request }) => (request as { monitor: string }).monitor === monitor);
}
