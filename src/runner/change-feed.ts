import type { Cancel, Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { ChangeMarkers } from "../store/monitors/related-monitors.ts";
import type { Store } from "../store/store.ts";
import { createFaultLog } from "./loop.ts";

/** Changes since the last event. */
export type Change = { [Marker in keyof ChangeMarkers]: boolean };

/** Notifies the subscribers of an organization when its data has changed. Without subscribers it costs nothing. */
export interface ChangeFeed {
  /** @returns ends the subscription */
  subscribe(organizationId: string, subscriber: Subscriber): () => void;
  /** Ends all subscriptions. */
  stop(): void;
}

export interface Subscriber {
  /** Called about a second after a commit, also of another process. */
  onChange: (change: Change) => void;
  /** Called when the feed stops. */
  onStop: () => void;
}

/** Milliseconds between the end of one poll and the next: subscribers learn within a second what another process did. */
const POLL_EVERY = 800;

interface Topic {
  markers: ChangeMarkers;
  subscribers: Set<Subscriber>;
}

export function createChangeFeed({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Pick<Clock, "after">;
  log: Logger;
}): ChangeFeed {
  /** By organization. */
  const topics = new Map<string, Topic>();
  const polls = createFaultLog(log, "changes could not be looked for");
  let cancel: Cancel | undefined;

  async function poll(): Promise<void> {
    for (const [organizationId, topic] of topics) {
      const markers = await store.changes.findMarkers(organizationId);
      const change = differences(topic.markers, markers);
      topic.markers = markers;
      if (change) for (const { onChange } of topic.subscribers) onChange(change);
    }
  }

  async function tick(): Promise<void> {
    await poll().then(polls.succeeded, polls.failed);
    cancel = topics.size > 0 ? clock.after(POLL_EVERY, tick) : undefined;
  }

  return {
    subscribe(organizationId, subscriber) {
      const topic = topics.get(organizationId) ?? { markers: UNKNOWN, subscribers: new Set() };
      topics.set(organizationId, topic);
      topic.subscribers.add(subscriber);
      cancel ??= clock.after(POLL_EVERY, tick);
      return () => {
        topic.subscribers.delete(subscriber);
        if (topic.subscribers.size === 0 && topics.get(organizationId) === topic)
          topics.delete(organizationId);
      };
    },
    stop() {
      const subscribers = [...topics.values()].flatMap((topic) => [...topic.subscribers]);
      topics.clear();
      cancel?.();
      for (const { onStop } of subscribers) onStop();
    },
  };
}

/** Makes the first poll report a change, because the subscriber may have read before a commit just before it. */
const UNKNOWN: ChangeMarkers = { monitors: "", channels: "", results: "" };

function differences(before: ChangeMarkers, now: ChangeMarkers): Change | null {
  const change = {
    monitors: before.monitors !== now.monitors,
    channels: before.channels !== now.channels,
    results: before.results !== now.results,
  };
  return Object.values(change).some(Boolean) ? change : null;
}
