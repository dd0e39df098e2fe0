import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type Change, ChangeStream } from "./change-stream.ts";
import { changedByMonitor, changedByResult, invalidate, queryKeys } from "./query-keys.ts";

/** Results arrive all the time: at most one fetch in so many milliseconds. */
const RESULTS_INTERVAL = 5000;
/** Histories change slowly, and are expensive to fetch. */
const HISTORIES_INTERVAL = 15_000;

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
      const { allHistories, channels, health, locations } = queryKeys;
      const missed = [...changedByMonitor, allHistories, channels, health, locations];
      void invalidate(queries, is ? missed : [queryKeys.session]);
    };
    return new ChangeStream({ onChange: createUpdater(queries), onConnected }).start();
  }, [queries]);
  return <Connected value={connected}>{children}</Connected>;
}

function createUpdater(queries: QueryClient): (change: Change) => void {
  const refreshHistories = throttle(
    () => void invalidate(queries, [queryKeys.allHistories]),
    HISTORIES_INTERVAL,
  );
  const refreshResults = throttle(() => void invalidate(queries, changedByResult), RESULTS_INTERVAL);
  return ({ monitors, channels, results }) => {
    if (monitors) {
      void invalidate(queries, changedByMonitor);
      refreshHistories();
    } else if (results) refreshResults();
    if (channels) void invalidate(queries, [queryKeys.channels, queryKeys.audit]);
  };
}

/** Runs at the first call, then at most once per interval. @param interval milliseconds */
function throttle(run: () => void, interval: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let calledAgain = false;
  const start = () => {
    calledAgain = false;
    run();
    timer = setTimeout(finish, interval);
  };
  const finish = () => {
    timer = undefined;
    if (calledAgain) start();
  };
  return () => {
    if (timer) calledAgain = true;
    else start();
  };
}
