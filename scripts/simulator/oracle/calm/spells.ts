import { groupOf, type Status } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, SimRequest } from "../../ledger.ts";
import { doneBy, type Stretch } from "../own-faults.ts";
import type { Known } from "./stretches.ts";

/** How long it takes from a check until its result and what follows from it are committed; milliseconds. */
const COMMIT = 2000;

/** A stretch in which a monitor has one status. @property status `unknown` from a pause to the next result */
export interface Spell extends Stretch {
  status: Status;
}

type RequestOf<Kind extends SimRequest["kind"]> = SimRequest extends infer One
  ? One extends { kind: infer Kinds }
    ? Kind extends Kinds
      ? One
      : never
    : never
  : never;

/** The requests of one kind that had an effect, by time. */
export function accepted<Kind extends SimRequest["kind"]>(
  { requests }: Ledger,
  kind: Kind,
): { request: RequestOf<Kind>; from: number; to: number }[] {
  return requests.flatMap(({ request, from, to, accepted }) =>
    accepted && request.kind === kind ? [{ request: request as RequestOf<Kind>, from, to }] : [],
  );
}

/**
 * A stretch in which a monitor may be paused.
 *
 * @property surely when it is: a request whose answer was lost may have had its effect at any attempt
 */
export interface Pause extends Stretch {
  surely: Stretch;
}

/** The stretches in which a monitor is paused. */
export function pausesOf(monitor: string, ledger: Ledger): Pause[] {
  const resumes = accepted(ledger, "resume").filter(({ request }) => request.monitor === monitor);
  return accepted(ledger, "pause")
    .filter(({ request }) => request.monitor === monitor)
    .map(({ from, to }) => {
      const end = ledger.scenario.to;
      const resume = resumes.find((one) => one.to >= to) ?? { from: end, to: end };
      return { from, to: resume.to, surely: { from: to, to: resume.from } };
    });
}

/** The statuses of a monitor by its results, from the first result to the end. */
export function spellsOf(monitor: string, ledger: Ledger): Spell[] {
  const changes: { at: number; status: Status }[] = ledger.results
    .filter((result) => result.monitor === monitor)
    .map(({ createdAtWall: at, status }) => ({ at, status }));
  for (const { from } of pausesOf(monitor, ledger)) changes.push({ at: from, status: "unknown" });
  changes.sort((a, b) => a.at - b.at);
  const spells: Spell[] = [];
  for (const [place, { at, status }] of changes.entries()) {
    const to = changes[place + 1]?.at ?? ledger.scenario.to;
    const last = spells.at(-1);
    if (last?.status === status) last.to = to;
    else spells.push({ from: at, to, status });
  }
  return spells;
}

/** When one of some spells lasts. @param disturbances they delay the commits */
export function during(spells: readonly Stretch[], disturbances: readonly Stretch[]): Known {
  const late = (at: number) => doneBy(at, COMMIT, disturbances);
  return {
    // At its end, the next one has begun.
    surely: spells
      .map(({ from, to }) => ({ from: late(from), to: to - 1 }))
      .filter(({ from, to }) => from < to),
    possibly: spells.map(({ from, to }) => ({ from, to: late(to) })),
  };
}

/** A stretch of trouble. A pause ends it. @property worsenedAt when it went from warning to down */
export interface Outage extends Stretch {
  spells: Spell[];
  worsenedAt: number[];
}

export function outagesOf(spells: readonly Spell[]): Outage[] {
  const outages: Outage[] = [];
  let open: Outage | undefined;
  for (const spell of spells) {
    const group = spell.status === "unknown" ? "healthy" : groupOf[spell.status];
    if (group === "healthy") {
      open = undefined;
      continue;
    }
    if (open) {
      const previous = open.spells.at(-1)?.status ?? spell.status;
      if (group === "down" && groupOf[previous] === "warning") open.worsenedAt.push(spell.from);
      open.to = spell.to;
      open.spells.push(spell);
    } else {
      open = { from: spell.from, to: spell.to, spells: [spell], worsenedAt: [] };
      outages.push(open);
    }
  }
  return outages;
}
