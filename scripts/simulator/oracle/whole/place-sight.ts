import { united } from "../calm/stretches.ts";
import { doneBy, type Stretch, without } from "../own-faults.ts";
import { isDecided, mayBeDown, mayBeUp, placesOf, type Votes } from "../places/voters.ts";
import type { MonitorLife } from "./monitor-life.ts";
import { firstCheckWithin, type MayBe, nothing, noticedWithin } from "./target-sight.ts";

/** From what enough locations saw until it is decided: rounds of the watch, requests of the probes; milliseconds. */
const SLACK = 60_000;

/** A target that several locations check: each has a vote by what it could see. */
export function mayBeOf(life: MonitorLife): MayBe {
  const { monitor, ledger, span, disturbed, faults, paces } = life;
  const { places, memory } = placesOf(monitor, ledger, {
    downtimes: [...faults.absent, ...faults.storage],
    paces,
  });
  const lag = memory + noticedWithin(monitor, paces) + SLACK;
  const seen = places.map(({ name, bad, mute, suspect }) => {
    const ownDisturbed = name === "here" ? disturbed : united([...disturbed, ...mute]);
    const late = (stretches: readonly Stretch[]) =>
      united(stretches.map(({ from, to }) => ({ from, to: doneBy(to, lag, ownDisturbed) })));
    return {
      bad: createFinder(late(bad)),
      good: createFinder(late(without(span, bad))),
      unsure: createFinder(
        late([...mute, ...suspect, { from: span.from, to: span.from + firstCheckWithin(monitor) }]),
      ),
    };
  });
  const finders = seen.flatMap(({ bad, good, unsure }) => [bad, good, unsure]);
  const edges = [...new Set([span.from, span.to, ...finders.flatMap(({ edges }) => edges)])]
    .filter((at) => at >= span.from && at <= span.to)
    .sort((a, b) => a - b);
  const may = nothing();
  const downWhen = monitor.places?.downWhen ?? "majority";
  for (const [place, from] of edges.slice(0, -1).entries()) {
    const stretch = { from, to: edges[place + 1] ?? span.to };
    const votes = votesAt((from + stretch.to) / 2);
    if (mayBeDown(votes, downWhen)) may.down.push(stretch);
    if (mayBeUp(votes, downWhen)) may.healthy.push(stretch);
    if (!isDecided(votes)) may.unknown.push(stretch);
  }
  return may;

  function votesAt(moment: number): Votes {
    const votes: Votes = { surelyBad: 0, maybeBad: 0, surelyGood: 0, maybeGood: 0 };
    for (const { bad, good, unsure } of seen) {
      const [mayBeBad, mayBeGood, isSure] = [bad.has(moment), good.has(moment), !unsure.has(moment)];
      if (mayBeBad) votes.maybeBad++;
      if (mayBeGood) votes.maybeGood++;
      if (isSure && !mayBeGood) votes.surelyBad++;
      if (isSure && !mayBeBad) votes.surelyGood++;
    }
    return votes;
  }
}

/** @param stretches by time, without overlaps */
function createFinder(stretches: readonly Stretch[]) {
  return {
    edges: stretches.flatMap(({ from, to }) => [from, to]),
    has: (at: number) => stretches.some(({ from, to }) => from <= at && at < to),
  };
}
