import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { base } from "../app/base.ts";
import { changedByMonitor, changedByResult, invalidate, queryKeys } from "./query-keys.ts";

/** Results arrive all the time: at most one fetch in so many milliseconds. */
const RESULTS_INTERVAL = 5000;
/** Histories change slowly, and are expensive to fetch. */
const HISTORIES_INTERVAL = 15_000;
/** Changes of monitors are shown at once, but of many monitors, fetches may take a tenth of the time at most. */
const PAUSE_PER_FETCH = 9;

const Connected = createContext(true);

export function useConnected(): boolean {
  return useContext(Connected);
}

/** Fetches again what changes on the server, and knows whether the server can be reached. @property isStarting whether nothing is shown yet */
export function LiveUpdates({ isStarting, children }: { isStarting: boolean; children: ReactNode }) {
  const [connected, setConnected] = useState(true);
  const queries = useQueryClient();
  useEffect(() => {
    if (isStarting) return undefined;
    const onConnected = (is: boolean) => {
      setConnected(is);
      const { allHistories, channels, server, locations } = queryKeys;
      const missed = [...changedByMonitor, allHistories, channels, server, locations];
      void invalidate(queries, is ? missed : [queryKeys.session]);
    };
    return new ChangeStream({ onChange: createUpdater(queries), onConnected }).start();
  }, [queries, isStarting]);
  return <Connected value={connected}>{children}</Connected>;
}

function createUpdater(queries: QueryClient): (change: Change) => void {
  const refreshHistories = throttle(
    () => invalidate(queries, [queryKeys.allHistories]),
    () => HISTORIES_INTERVAL,
  );
  const refreshResults = throttle(
    () => invalidate(queries, changedByResult),
    () => RESULTS_INTERVAL,
  );
  const refreshMonitors = throttle(
    () => invalidate(queries, changedByMonitor),
    (took) => Math.min(PAUSE_PER_FETCH * took, RESULTS_INTERVAL),
  );
  return ({ monitors, channels, results }) => {
    if (monitors) {
      refreshMonitors();
      refreshHistories();
    } else if (results) refreshResults();
    if (channels) void invalidate(queries, [queryKeys.channels, queryKeys.audit]);
  };
}

/**
 * Runs at the first call; after that, only when the run and the pause after it are over.
 *
 * @param pauseAfter from how long a run took to how long the pause lasts, in milliseconds
 */
export function throttle(run: () => Promise<void>, pauseAfter: (took: number) => number): () => void {
  let isWaiting = false;
  let calledAgain = false;
  const start = async () => {
    isWaiting = true;
    calledAgain = false;
    const startedAt = performance.now();
    await run();
    setTimeout(finish, pauseAfter(performance.now() - startedAt));
  };
  const finish = () => {
    isWaiting = false;
    if (calledAgain) void start();
  };
  return () => {
    if (isWaiting) calledAgain = true;
    else void start();
  };
}

/** Milliseconds without a message after which the connection counts as lost. The server sends one every 5 s. */
const SILENCE = 15_000;
/** Milliseconds between two attempts to connect. */
const RETRY = 2000;

/** The kinds of data that have changed on the server. */
interface Change {
  monitors: boolean;
  channels: boolean;
  results: boolean;
}

interface Listener {
  onChange: (change: Change) => void;
  onConnected: (connected: boolean) => void;
}

/** Server-sent events about changes. Reconnects after an error or silence, and disconnects while the tab is hidden. */
class ChangeStream {
  #source: EventSource | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #connected = true;

  constructor(private readonly listener: Listener) {}

  /** @returns a function that closes the stream for good */
  start(): () => void {
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#open();
    return () => {
      document.removeEventListener("visibilitychange", this.#onVisibility);
      this.#close();
    };
  }

  readonly #open = (): void => {
    this.#source = new EventSource(`${base}/api/v1/stream`);
    this.#source.addEventListener("pulse", () => this.#onMessage());
    this.#source.addEventListener("change", ({ data }) => {
      this.#onMessage();
      this.listener.onChange(JSON.parse(data));
    });
    this.#source.onerror = this.#reconnect;
    this.#silence = setTimeout(this.#reconnect, SILENCE);
  };

  readonly #reconnect = (): void => {
    this.#setConnected(false);
    this.#close();
    this.#retry = setTimeout(this.#open, RETRY);
  };

  #close(): void {
    this.#source?.close();
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
  }

  #onMessage(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#reconnect, SILENCE);
    this.#setConnected(true);
  }

  #setConnected(connected: boolean): void {
    if (connected !== this.#connected) this.listener.onConnected(connected);
    this.#connected = connected;
  }

  /** A browser allows few connections to one server: hidden tabs must not use them up. */
  readonly #onVisibility = (): void => {
    this.#close();
    if (document.hidden) return;
    this.#open();
    this.listener.onChange({ monitors: true, channels: true, results: true });
  };
}
