import type { Logger } from "../log.ts";
import { type ChangeMarkers, findChangeMarkers } from "../store/monitors/change-markers.ts";
import type { Database } from "../store/sqlite/open.ts";
import { turn } from "../store/sqlite/slices.ts";

/** What has changed since the last time. */
export type Change = { [Mark in keyof ChangeMarkers]: boolean };

/** Tells those who look at an organization when something of it has changed. Costs nothing while nobody does. */
export interface ChangeFeed {
  /** @param onChange told within a second or so of a commit, also of another process @returns to be called at the end */
  subscribe(organizationId: string, onChange: (change: Change) => void, onStop: () => void): () => void;
  /** Tells everybody that it is over. */
  stop(): void;
}

/** Milliseconds between two looks. */
const PERIOD = 1000;

interface Watched {
  marks: ChangeMarkers;
  followers: Set<{ onChange: (change: Change) => void; onStop: () => void }>;
}

export function createChangeFeed({ db, log }: { db: Database; log: Logger }): ChangeFeed {
  const watched = new Map<string, Watched>();
  let timer: Timer | undefined;

  async function look(): Promise<void> {
    for (const [organizationId, one] of watched) {
      await turn(db);
      const marks = await findChangeMarkers(db, organizationId);
      const change = differences(one.marks, marks);
      one.marks = marks;
      if (change) for (const { onChange } of one.followers) onChange(change);
    }
  }

  function tick(): void {
    look()
      .catch((error) => log.error({ err: error }, "could not look for changes"))
      .finally(() => {
        timer = watched.size > 0 ? setTimeout(tick, PERIOD) : undefined;
      });
  }

  return {
    subscribe(organizationId, onChange, onStop) {
      const one = watched.get(organizationId) ?? { marks: UNKNOWN, followers: new Set() };
      watched.set(organizationId, one);
      const follower = { onChange, onStop };
      one.followers.add(follower);
      timer ??= setTimeout(tick, PERIOD);
      return () => {
        one.followers.delete(follower);
        if (one.followers.size === 0 && watched.get(organizationId) === one) watched.delete(organizationId);
      };
    },
    stop() {
      const all = [...watched.values()].flatMap(({ followers }) => [...followers]);
      watched.clear();
      clearTimeout(timer);
      for (const { onStop } of all) onStop();
    },
  };
}

/** The first look finds a change: what happened just before it may not have been seen. */
const UNKNOWN: ChangeMarkers = { monitors: "", channels: "", results: "" };

function differences(before: ChangeMarkers, now: ChangeMarkers): Change | null {
  const change = {
    monitors: before.monitors !== now.monitors,
    channels: before.channels !== now.channels,
    results: before.results !== now.results,
  };
  return Object.values(change).some(Boolean) ? change : null;
}
