import type { Store } from "../../../src/store/store.ts";
import type { TestClock } from "../clock.ts";

type Tracker = Pick<TestClock, "track">;

/** A store for whose calls virtual time waits, because calls of PostgreSQL take real time. */
export function trackedStore(store: Store, clock: Tracker): Store {
  return tracked(store, clock);
}

function tracked<Target extends object>(target: Target, clock: Tracker): Target {
  const members = Object.entries(target).map(([name, member]) => {
    if (typeof member !== "function") return [name, tracked(member, clock)];
    const call = (...given: unknown[]) => {
      const result: unknown = member(...given);
      return result instanceof Promise ? clock.track(result) : result;
    };
    return [name, call];
  });
  return Object.fromEntries(members) as Target;
}
