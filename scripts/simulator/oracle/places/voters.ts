import { checkTimeout } from "../../../../src/domain/checks/check-slot.ts";
import type { DownWhen } from "../../../../src/domain/locations/location.ts";
import type { Ledger, Pace, PlaceFault, SimMonitor } from "../../ledger.ts";
import type { Stretch } from "../own-faults.ts";

/** An observation may arrive this much later than it was made: retries of the probe, rounds of the watch; milliseconds. */
const DELAY = 45_000;

/** A location without requests for so long has no vote (behavior 13.20), and the same until it is connected again. */
const SILENCE = 60_000;

/** After a location was suspected of a broken network, for how long it may have no vote (behavior 13.17); milliseconds. */
const SUSPICION = 120_000;

/** How many locations of a monitor may have a vote at a moment, and for what. */
export interface Votes {
  /** See trouble for certain. */
  surelyBad: number;
  /** May see trouble. */
  maybeBad: number;
  /** See it well for certain. */
  surelyGood: number;
  /** May see it well. */
  maybeGood: number;
}

/** The votes of a monitor by the truth: its target and each of its locations. */
export interface Voters {
  at(moment: number): Votes;
  /** How old an observation may be that has a vote, and how late it may arrive, in milliseconds. */
  memory: number;
  /** Whether what this location saw at a moment may have been taken for a fault of its network. */
  maySuspect(place: string, moment: number): boolean;
}

/** The view of one location. @property mute when it may have no vote @property suspect the same, for a broken network */
interface SeenFrom {
  name: string;
  bad: Stretch[];
  mute: Stretch[];
  suspect: Stretch[];
}

/**
 * The locations of a monitor.
 *
 * @param downtimes of the server, with the time that it needs afterwards @param paces that edits give the monitor
 */
export function placesOf(
  monitor: SimMonitor,
  { scenario, placeLives }: Ledger,
  { downtimes, paces = [] }: { downtimes: readonly Stretch[]; paces?: readonly Pace[] },
): { places: SeenFrom[]; memory: number } {
  const interval = Math.max(...[monitor.config, ...paces].map((one) => one.interval ?? 0)) || 300;
  const memory = 2 * interval * 1000 + checkTimeout({ interval }) + DELAY;
  const bad = (monitor.segments ?? []).filter(({ kind }) => kind === "down");
  const places = (monitor.places?.names ?? ["here"]).map((name) => {
    const faults = scenario.locations?.find((location) => location.name === name)?.faults ?? [];
    const lives = placeLives.filter(({ place }) => place === name);
    const deaths = name === "here" ? [] : gaps(lives, scenario);
    const blind = faults.filter((fault) => hides(fault, monitor));
    const cutOff = faults.filter(({ kind }) => kind === "partition" || kind === "offline");
    const suspect = faults.filter(({ kind }) => kind === "broken");
    return {
      name,
      bad: merged([...bad, ...blind]),
      // Whoever had no connection may need as long again to be connected.
      mute: merged(
        [...deaths, ...cutOff, ...downtimes].map(({ from, to }) => ({ from, to: to + SILENCE + DELAY })),
      ),
      suspect: suspect.map(({ from, to }) => ({ from, to: to + memory + SUSPICION })),
    };
  });
  return { places, memory };
}

/** @param downtimes of the server, with the time that it needs afterwards */
export function votersOf(monitor: SimMonitor, ledger: Ledger, downtimes: readonly Stretch[]): Voters {
  const { scenario } = ledger;
  const { places, memory } = placesOf(monitor, ledger, { downtimes });
  return {
    memory,
    maySuspect: (place, moment) =>
      places.some(({ name, suspect }) => name === place && suspect.some((one) => contains(one, moment))),
    at(moment) {
      const votes: Votes = { surelyBad: 0, maybeBad: 0, surelyGood: 0, maybeGood: 0 };
      const period = { from: moment - memory, to: moment };
      for (const place of places) {
        const isSure =
          period.from > scenario.from + SILENCE &&
          !place.mute.some((one) => overlaps(one, period)) &&
          !place.suspect.some((one) => overlaps(one, period));
        const sawBad = place.bad.some((one) => overlaps(one, period));
        const sawGood = !place.bad.some(({ from, to }) => from <= period.from && period.to <= to);
        if (sawBad) votes.maybeBad++;
        if (sawGood) votes.maybeGood++;
        if (isSure && !sawGood) votes.surelyBad++;
        if (isSure && !sawBad) votes.surelyGood++;
      }
      return votes;
    },
  };
}

/** Whether enough locations may see trouble (behavior 13.10). */
export function mayBeDown({ maybeBad, surelyGood }: Votes, downWhen: DownWhen): boolean {
  return maybeBad > 0 && maybeBad >= needed(downWhen, maybeBad + surelyGood);
}

/** Whether too few locations may see trouble. */
export function mayBeUp({ surelyBad, maybeGood }: Votes, downWhen: DownWhen): boolean {
  return maybeGood > 0 && surelyBad < needed(downWhen, surelyBad + maybeGood);
}

/** Whether anybody has a vote for certain, so that the status is decided. */
export function isDecided({ surelyBad, surelyGood }: Votes): boolean {
  return surelyBad + surelyGood > 0;
}

/** How many of some votes are enough for trouble. */
export function needed(downWhen: DownWhen, votes: number): number {
  if (downWhen === "any") return 1;
  if (downWhen === "all") return votes;
  return downWhen === "majority" ? Math.floor(votes / 2) + 1 : Math.min(downWhen, votes);
}

function hides(fault: PlaceFault, { name }: SimMonitor): boolean {
  if (fault.kind === "cut") return fault.monitor === name;
  return fault.kind === "broken";
}

/** The times in which a location had no process. */
function gaps(lives: readonly Stretch[], { from, to }: Stretch): Stretch[] {
  const sorted = [...lives].sort((a, b) => a.from - b.from);
  const ends = [from, ...sorted.map((life) => life.to)];
  const starts = [...sorted.map((life) => life.from), to];
  return ends.map((end, at) => ({ from: end, to: starts[at] ?? to })).filter((gap) => gap.to > gap.from);
}

/** Stretches that touch or overlap become one. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

function overlaps(one: Stretch, other: Stretch): boolean {
  return one.from <= other.to && other.from <= one.to;
}

function contains({ from, to }: Stretch, moment: number): boolean {
  return from <= moment && moment <= to;
}
