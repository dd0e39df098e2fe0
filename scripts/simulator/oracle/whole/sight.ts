import { remaining, united } from "../calm/stretches.ts";
import type { Stretch } from "../own-faults.ts";
import { mayBeOf as mayBeOfJob } from "./job-sight.ts";
import type { MonitorLife } from "./monitor-life.ts";
import { mayBeOf as mayBeOfPlaces } from "./place-sight.ts";
import { type MayBe, mayBeOf as mayBeOfTarget, SEEN, type Seen } from "./target-sight.ts";

/**
 * The status of a monitor by the truth alone. A target that stays the same for longer than the monitor needs to notice it has
 * one possible status; before that, its previous statuses are possible too.
 */
export class Sight {
  readonly #must = new Map<Seen, Stretch[]>();

  constructor(
    readonly may: MayBe,
    private readonly span: Stretch,
  ) {}

  static of(life: MonitorLife): Sight {
    const may = life.isJob
      ? mayBeOfJob(life)
      : life.monitor.places
        ? mayBeOfPlaces(life)
        : mayBeOfTarget(life);
    for (const free of life.free) for (const group of SEEN) may[group].push(free);
    const exists = (stretches: Stretch[]) => united(stretches).filter(({ from }) => from < life.until);
    const cut = Object.fromEntries(SEEN.map((group) => [group, exists(may[group])])) as MayBe;
    return new Sight(cut, { from: life.span.from, to: life.until });
  }

  /** When the monitor is in a group for certain. */
  must(group: Seen): Stretch[] {
    const known = this.#must.get(group);
    if (known) return known;
    const others = SEEN.filter((one) => one !== group).flatMap((one) => this.may[one]);
    const must = remaining([this.span], united(others));
    this.#must.set(group, must);
    return must;
  }
}
