import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type Change, ChangeStream } from "./change-stream.ts";
import { changedByMonitor, changedByResult, invalidate, queryKeys } from "./query-keys.ts";
import { throttle } from "./throttle.ts";

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

/** Fetches again what changes on the server, and knows whether the server can be reached. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const [connected, setConnected] = useState(true);
  const queries = useQueryClient();
  useEffect(() => {
    const onConnected = (is: boolean) => {
      setConnected(is);
      const { allHistories, channels, server, locations } = queryKeys;
      const missed = [...changedByMonitor, allHistories, channels, server, locations];
      void invalidate(queries, is ? missed : [queryKeys.session]);
    };
    return new ChangeStream({ onChange: createUpdater(queries), onConnected }).start();
  }, [queries]);
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
