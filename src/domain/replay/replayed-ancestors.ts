import type { StoredMonitor } from "../alerts/review/reviewed-monitor.ts";
import { checkTimeout, nextCheckAt } from "../checks/check-slot.ts";
import { SECOND } from "../duration.ts";
import type { Course, CourseState } from "./course.ts";
import { type MonitorSettings, type ReplayedPast, settingsAt } from "./history.ts";

/** How long a check of another monitor takes that was requested, in milliseconds. */
const ANSWERED_AFTER = 1000;

/** The monitors that one monitor depends on, directly or not, as its reviews see them. Times are milliseconds since 1970. */
export class ReplayedAncestors {
  readonly #past: ReplayedPast;
  readonly #courses: ReadonlyMap<string, Course>;
  /** When they were asked for a check, by their IDs. */
  readonly #asked = new Map<string, number>();

  /** @param courses of the monitors, which are complete */
  constructor(past: ReplayedPast, courses: ReadonlyMap<string, Course>) {
    this.#past = past;
    this.#courses = courses;
  }

  /** Their IDs, the nearest first. */
  idsAt({ dependsOn }: MonitorSettings, now: number): string[] {
    const found = new Set<string>();
    for (let level = dependsOn; level.length > 0; ) {
      const further = level.filter((id) => !found.has(id));
      for (const id of further) found.add(id);
      level = further.flatMap((id) => {
        const monitor = this.#past.monitors.get(id);
        return monitor ? settingsAt(monitor, now).dependsOn : [];
      });
    }
    return [...found];
  }

  /** Their states. The number of each is its place in the list, from 1. */
  at(ids: readonly string[], now: number): StoredMonitor[] {
    return ids.flatMap((id, at) => this.#stateOf(id, { pk: at + 1, now }) ?? []);
  }

  /** When one of them changes next; infinite if none does. */
  changeAfter(ids: readonly string[], now: number): number {
    const changes = ids.map((id) => this.#courses.get(id)?.states.find(({ at }) => at > now)?.at);
    return Math.min(Number.POSITIVE_INFINITY, ...changes.filter((at) => at !== undefined));
  }

  ask(id: string, now: number): void {
    this.#asked.set(id, now);
  }

  /** When a requested check has its result: the next recorded check that is not usual, if one ends soon after. */
  #answeredAt(id: string, timeout: number): number | null {
    const asked = this.#asked.get(id);
    if (asked === undefined) return null;
    const result = this.#courses.get(id)?.states.find(({ at }) => at > asked);
    return result && result.at <= asked + ANSWERED_AFTER + timeout ? result.at : asked + ANSWERED_AFTER;
  }

  #stateOf(id: string, { pk, now }: { pk: number; now: number }): StoredMonitor | null {
    const found = stateAt(this.#courses.get(id)?.states ?? [], now);
    if (!found) return null;
    const { config, latestAt } = found.stored;
    const { interval } = config;
    const slot =
      found.isFollowedByUsual && interval ? nextCheckAt(id, interval, now) - interval * SECOND : null;
    const answered = this.#answeredAt(id, checkTimeout(config));
    const known = [latestAt, slot, answered !== null && answered <= now ? answered : null].filter(
      (at) => at !== null,
    );
    return { ...found.stored, pk, latestAt: known.length > 0 ? Math.max(...known) : null };
  }
}

function stateAt(states: readonly CourseState[], now: number): CourseState | undefined {
  return states.findLast(({ at }) => at <= now) ?? states[0];
}
