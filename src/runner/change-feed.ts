import type { Cancel, Clock } from "../clock.ts";
import type { Logger } from "../log.ts";
import type { ChangeMarkers } from "../store/monitors/related-monitors.ts";
import type { Store } from "../store/store.ts";
import { createFaultLog } from "./loop.ts";

/** Changes since the last event. */
export type Change = { [Marker in keyof ChangeMarkers]: boolean };

/** Notifies the subscribers of an organization when its data has changed. Without subscribers it costs nothing. */
export interface ChangeFeed {
  /**
   * Called before a page is sent, whose reads come before its subscription: its events are only of what has changed since this call.
   * Otherwise its first event says that all has changed, and the page reads all of it again.
   */
  expectPage(organizationId: string, page: ExpectedPage): Promise<void>;
  /** @param isPage whether `expectPage` was called for it @returns ends the subscription */
  subscribe(organizationId: string, subscriber: Subscriber, isPage?: boolean): () => void;
  /** Ends all subscriptions. */
  stop(): void;
}

/** @property isSent whether it may read already, so that a state that is read from now on is too late */
export interface ExpectedPage {
  isSent: boolean;
}

export interface Subscriber {
  /** Called about a second after a commit, also of another process. */
  onChange: (change: Change) => void;
  /** Called when the feed stops. */
  onStop: () => void;
}

/** Milliseconds between the end of one poll and the next: subscribers learn within a second what another process did. */
const POLL_EVERY = 800;

/** Milliseconds in which a page has been loaded and subscribes. */
const LOADING = 60_000;

/** The subscribers of an organization, each with the markers of its latest event. */
type Topic = Map<Subscriber, ChangeMarkers>;

export function createChangeFeed({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Pick<Clock, "after" | "monotonic">;
  log: Logger;
}): ChangeFeed {
  /** By organization. */
  const topics = new Map<string, Topic>();
  /** The markers of organizations before their pages were sent, the oldest first. */
  const expected = new Map<string, { readAt: number; markers: ChangeMarkers }[]>();
  const polls = createFaultLog(log, "changes could not be looked for");
  let cancel: Cancel | undefined;

  async function poll(): Promise<void> {
    for (const [organizationId, topic] of topics) {
      const subscribers = [...topic.keys()];
      const markers = await store.changes.findMarkers(organizationId);
      for (const subscriber of subscribers) {
        const told = topic.get(subscriber);
        const change = told && differences(told, markers);
        if (!change) continue;
        topic.set(subscriber, markers);
        subscriber.onChange(change);
      }
    }
  }

  async function tick(): Promise<void> {
    await poll().then(polls.succeeded, polls.failed);
    cancel = topics.size > 0 ? clock.after(POLL_EVERY, tick) : undefined;
  }

  return {
    async expectPage(organizationId, page) {
      const readAt = clock.monotonic();
      // Many pages at once share the markers of the first one.
      if (readAt - (expected.get(organizationId)?.at(-1)?.readAt ?? -Infinity) < POLL_EVERY) return;
      const read = await store.changes.findMarkers(organizationId);
      const loading = expected.get(organizationId) ?? [];
      expected.set(organizationId, loading);
      loading.push({ readAt, markers: page.isSent ? UNKNOWN : read });
      clock.after(LOADING, () => {
        loading.shift();
        if (loading.length === 0) expected.delete(organizationId);
      });
    },
    subscribe(organizationId, subscriber, isPage = false) {
      const topic: Topic = topics.get(organizationId) ?? new Map();
      topics.set(organizationId, topic);
      // The oldest markers are right for each of several pages that are being loaded.
      topic.set(subscriber, (isPage && expected.get(organizationId)?.[0]?.markers) || UNKNOWN);
      cancel ??= clock.after(POLL_EVERY, tick);
      return () => {
        topic.delete(subscriber);
        if (topic.size === 0 && topics.get(organizationId) === topic) topics.delete(organizationId);
      };
    },
    stop() {
      const subscribers = [...topics.values()].flatMap((topic) => [...topic.keys()]);
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
