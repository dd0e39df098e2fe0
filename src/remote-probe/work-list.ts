import type { Clock } from "../clock.ts";
import { nextCheckAt } from "../domain/checks/check-slot.ts";
import type { Recheck, WorkItem } from "../domain/locations/protocol.ts";
import type { DueMonitor, Slot, Store } from "../store/store.ts";

/** A check that has ended. @property revision of the monitor when it began */
export interface EndedCheck {
  monitorId: string;
  revision: number;
  at: number;
  startAt: number;
}

/** The monitors of a location, and when each is to be checked. Times are milliseconds since 1970. */
export interface WorkList {
  /** For the scheduler. Nothing else claims these monitors. */
  checks: Store["checks"];
  /** Replaces all monitors. A new or changed one is due now, or in the first slot after `aliveAt` if that is given. */
  set(items: readonly WorkItem[], aliveAt?: number): void;
  /** Replaces the checks outside of the slots. @returns whether there is another one than before */
  setRechecks(rechecks: readonly Recheck[]): boolean;
  /** @returns when the next check is due; null if the monitor was changed or deleted meanwhile */
  ended(check: EndedCheck): { nextCheckAt: number; wasRecheck: boolean } | null;
  size(): number;
}

interface Entry {
  pk: number;
  item: WorkItem;
  nextCheckAt: number;
  /** When the last check ended. */
  lastAt: number;
  /** When a check outside of the slots is due, and no check has ended since. */
  recheckAt: number | null;
}

export function createWorkList({ now }: Pick<Clock, "now">): WorkList {
  let entries = new Map<string, Entry>();
  let byPk = new Map<number, Entry>();
  let lastPk = 0;

  function entryOf(item: WorkItem, aliveAt: number | undefined): Entry {
    const previous = entries.get(item.monitorId);
    if (!previous) return created(item, aliveAt);
    const { revision, offset } = previous.item;
    if (revision !== item.revision) return { ...previous, item, ...dueNow(previous) };
    if (offset !== item.offset && previous.nextCheckAt > now() && previous.recheckAt === null)
      return { ...previous, item, nextCheckAt: slotAfter(item, now()) };
    return { ...previous, item };
  }

  function created(item: WorkItem, aliveAt: number | undefined): Entry {
    const due = aliveAt === undefined ? now() : slotAfter(item, aliveAt);
    return { pk: ++lastPk, item, nextCheckAt: due, lastAt: Number.NEGATIVE_INFINITY, recheckAt: null };
  }

  /** Another slot than the slot of a running check, which is cancelled for it. */
  function dueNow({ nextCheckAt: slot }: Entry): Pick<Entry, "nextCheckAt" | "recheckAt"> {
    const time = now();
    return { nextCheckAt: slot === time ? time - 1 : time, recheckAt: null };
  }

  /** A check that is due or running already is the re-check. @returns whether there is another one to run */
  function setRecheck(entry: Entry, asked: number | undefined): boolean {
    const time = now();
    const isOpen = asked !== undefined && asked > entry.lastAt && asked <= time + lengthOf(entry.item);
    const recheckAt = isOpen ? asked : null;
    if (recheckAt === entry.recheckAt) return false;
    entry.recheckAt = recheckAt;
    if (entry.nextCheckAt > time) entry.nextCheckAt = recheckAt ?? slotAfter(entry.item, time);
    return isOpen;
  }

  function dueMonitor({ pk, item, nextCheckAt: slot }: Entry): DueMonitor {
    const { monitorId: id, type, config, revision } = item;
    return { pk, id, type, config, revision, nextCheckAt: slot, status: "unknown", claim: 0 };
  }

  const checks: Store["checks"] = {
    async listDueSlots(_, { before, page }) {
      const due = [...entries.values()].filter(({ nextCheckAt: slot }) => slot < before);
      return due
        .map(({ pk, nextCheckAt: slot }) => ({ pk, nextCheckAt: slot }))
        .sort(compareSlots)
        .filter((slot) => !page || compareSlots(slot, page.after) > 0)
        .slice(0, page?.limit);
    },
    async claim(slots) {
      return slots.flatMap(({ pk, nextCheckAt: slot }) => {
        const entry = byPk.get(pk);
        return entry?.nextCheckAt === slot ? [dueMonitor(entry)] : [];
      });
    },
    async recall(time) {
      const late = [...entries.values()].filter(
        ({ item, nextCheckAt: slot }) => slot > time + lengthOf(item),
      );
      for (const entry of late) entry.nextCheckAt = time;
      return late.length;
    },
  };

  return {
    checks,
    set(items, aliveAt) {
      entries = new Map(items.map((item) => [item.monitorId, entryOf(item, aliveAt)]));
      byPk = new Map([...entries.values()].map((entry) => [entry.pk, entry]));
    },
    setRechecks(rechecks) {
      const asked = new Map(rechecks.map(({ monitorId, at }) => [monitorId, at]));
      return [...entries].filter(([id, entry]) => setRecheck(entry, asked.get(id))).length > 0;
    },
    ended({ monitorId, revision, at, startAt }) {
      const entry = entries.get(monitorId);
      if (entry?.item.revision !== revision) return null;
      const wasRecheck = entry.recheckAt !== null && at >= entry.recheckAt;
      entry.lastAt = at;
      if (wasRecheck) entry.recheckAt = null;
      // The slots before the end of a re-check are used up by it (behavior 11.8).
      const slot = slotAfter(entry.item, wasRecheck ? at : Math.min(at, startAt));
      entry.nextCheckAt = entry.recheckAt ?? slot;
      return { nextCheckAt: entry.nextCheckAt, wasRecheck };
    },
    size: () => entries.size,
  };
}

/** Milliseconds. */
function lengthOf({ config }: WorkItem): number {
  return config.interval * 1000;
}

/** The first slot of this location after a time (behavior 13.4). */
function slotAfter({ monitorId, config, offset }: WorkItem, time: number): number {
  return nextCheckAt(monitorId, config.interval, time, offset);
}

function compareSlots(a: Slot, b: Slot): number {
  return a.nextCheckAt - b.nextCheckAt || a.pk - b.pk;
}
