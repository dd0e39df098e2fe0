import type { Ledger, Patience, SimMonitor } from "../../ledger.ts";
import type { SimResult } from "../check-results.ts";
import type { Decision } from "../confirmation.ts";
import { extended, type OwnFaults, type Stretch } from "../own-faults.ts";
import { Causes } from "./causes.ts";
import { closedHours } from "./hours.ts";
import { accepted, during, type Outage, outagesOf, pausesOf, type Spell, spellsOf } from "./spells.ts";
import { type Known, united } from "./stretches.ts";
import { maintenanceRuns, type Run, windowsOfMonitor } from "./windows.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How long all parts need after a fault of the server until they are in time again; milliseconds. */
const RECOVERY = MINUTE;

/** All monitors of a run, by the truth, the operators and the results. */
export class Situation {
  readonly runs: Run[];
  readonly spells: ReadonlyMap<string, Spell[]>;
  readonly causes: Causes;
  /** No exact time can be demanded in these. */
  readonly disturbed: Stretch[];

  constructor(
    readonly ledger: Ledger,
    readonly faults: OwnFaults,
    readonly decisions: ReadonlyMap<SimResult, Decision>,
  ) {
    const names = ledger.scenario.monitors.map(({ name }) => name);
    this.disturbed = united(disturbances(ledger, faults));
    this.runs = maintenanceRuns(ledger);
    this.spells = new Map(names.map((name) => [name, spellsOf(name, ledger)]));
    this.causes = new Causes(ledger, this.spells, this.disturbed);
  }

  of(monitor: SimMonitor): MonitorSituation {
    const spells = this.spells.get(monitor.name) ?? [];
    const began = new Map(
      [...this.decisions]
        .filter(([result, { previous, status }]) => result.monitor === monitor.name && previous !== status)
        .map(([{ createdAtWall }, { sinceWall }]) => [createdAtWall, sinceWall]),
    );
    const outages = outagesOf(spells).map((outage) => ({
      ...outage,
      since: began.get(outage.from) ?? outage.from,
    }));
    return {
      monitor,
      spells,
      outages,
      pauses: pausesOf(monitor.name, this.ledger),
      inWindow: windowsOfMonitor(monitor, this.runs),
      muted: this.causes.of(monitor.name),
      acknowledged: acknowledgements(monitor.name, outages, this),
      closed: (channel) => closedHours(monitor.patience?.[channel] ?? {}, this.ledger.scenario),
      during: (some) => during(some, this.disturbed),
    };
  }
}

/** @property since when a check first saw the trouble */
export type SeenOutage = Outage & { since: number };

/** Everything that matters for the notifications of one monitor. */
export interface MonitorSituation {
  monitor: SimMonitor;
  spells: Spell[];
  outages: SeenOutage[];
  pauses: Stretch[];
  inWindow: Known;
  muted: Known;
  acknowledged: Known;
  /** When the hours of a channel are not open. */
  closed(channel: string): Known;
  during(spells: readonly Stretch[]): Known;
}

/** No exact time can be demanded in these. */
export function disturbances({ scenario, requests }: Ledger, faults: OwnFaults): Stretch[] {
  const { frozen, absent, storage, blind, offline, deaf, stalled } = faults;
  const unanswered = requests.filter(({ from, to }) => to - from > SECOND);
  const end = { from: scenario.to - 5 * SECOND, to: scenario.to + MINUTE };
  const own = extended(
    [...frozen, ...absent, ...storage, ...blind, ...offline, ...deaf, ...stalled],
    RECOVERY,
  );
  return [...own.map(({ from, to }) => ({ from: from - 15 * SECOND, to })), ...unanswered, end];
}

/** An acknowledgement ends with the outage, if it is taken back, or if it goes from warning to down. */
export function acknowledgements(
  monitor: string,
  outages: readonly Outage[],
  { ledger }: Pick<Situation, "ledger">,
): Known {
  const isOwn = ({ request }: { request: { monitor: string } }) => request.monitor === monitor;
  const takenBack = accepted(ledger, "take back").filter(isOwn);
  const known: Known = { surely: [], possibly: [] };
  for (const { from, to } of accepted(ledger, "acknowledge").filter(isOwn)) {
    const outage = outages.find((one) => one.from - 2 * SECOND <= from && from <= one.to + 2 * SECOND);
    if (!outage) continue;
    const back = takenBack.find((one) => one.from >= to);
    const worse = outage.worsenedAt.filter((at) => at >= from - 2 * SECOND);
    const end = Math.min(back?.from ?? outage.to, outage.to, ...worse);
    known.possibly.push({ from: from - 2 * SECOND, to: Math.max(end, back?.to ?? end) + 5 * SECOND });
    // Consequences of its end may happen in the same millisecond.
    const sureEnd = end - 1;
    if (to + SECOND < sureEnd) known.surely.push({ from: to + SECOND, to: sureEnd });
  }
  return { surely: united(known.surely), possibly: united(known.possibly) };
}

/** `after` and `every` of a channel, in milliseconds. */
export function patienceOf(monitor: SimMonitor, channel: string): Patience {
  const { after = 0, every = 0 } = monitor.patience?.[channel] ?? {};
  return { after: after * SECOND, every: every * SECOND };
}

/** When it is too early for a channel. */
export function tooEarly(outages: readonly SeenOutage[], after: number): Known {
  if (after === 0) return { surely: [], possibly: [] };
  const early = (longer: number) =>
    outages.map(({ since }, at) => {
      const from = Math.max(since - MINUTE, outages[at - 1]?.to ?? Number.NEGATIVE_INFINITY);
      return { from, to: since + after + longer };
    });
  return { surely: early(-SECOND), possibly: early(2 * SECOND) };
}
