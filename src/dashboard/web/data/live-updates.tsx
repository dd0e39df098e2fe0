import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

/** Without a sign of life for so long (the server gives one every 5 s), the connection counts as lost. */
const SILENCE = 15_000;
/** Results come all the time: they are fetched together, so often at most. */
const RESULTS_PACE = 5000;
/** What has happened shows in the past with less haste. */
const PAST_PACE = 15_000;
const RETRY = 2000;

const Connected = createContext(true);

export function useConnected(): boolean {
  return useContext(Connected);
}

interface Change {
  monitors: boolean;
  channels: boolean;
  results: boolean;
}

/** Follows what changes on the server, has it fetched again, and knows whether the server is there. */
export function Live({ children }: { children: ReactNode }) {
  const [connected, setConnected] = useState(true);
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = (...keys: string[]) => {
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    };
    const all = ["now", "monitor", "results", "report", "events", "deliveries"];
    const past = paced(() => refresh("past"), PAST_PACE);
    const results = paced(() => refresh("now", "results", "events", "report", "deliveries"), RESULTS_PACE);
    return follow({
      onChange(change) {
        if (change.monitors) {
          refresh(...all);
          past();
        } else if (change.results) results();
        if (change.channels) refresh("channels");
      },
      onState(state) {
        setConnected(state);
        if (state) refresh(...all, "past", "channels");
        else refresh("session");
      },
    });
  }, [queries]);
  return <Connected value={connected}>{children}</Connected>;
}

interface Follower {
  onChange: (change: Change) => void;
  onState: (connected: boolean) => void;
}

/** @returns to be called at the end */
function follow({ onChange, onState }: Follower): () => void {
  let source: EventSource | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let connected = true;

  const tell = (state: boolean) => {
    if (state !== connected) onState(state);
    connected = state;
  };
  const alive = () => {
    clearTimeout(silence);
    silence = setTimeout(restart, SILENCE);
    tell(true);
  };
  const restart = () => {
    tell(false);
    source?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    retry = setTimeout(open, RETRY);
  };
  function open(): void {
    source = new EventSource("/api/v1/stream");
    source.addEventListener("pulse", alive);
    source.addEventListener("change", ({ data }) => {
      alive();
      onChange(JSON.parse(data));
    });
    source.onerror = restart;
    silence = setTimeout(restart, SILENCE);
  }
  const close = () => {
    source?.close();
    clearTimeout(silence);
    clearTimeout(retry);
  };
  // A browser has few connections to a server: tabs that nobody looks at must not use them up.
  const onVisibility = () => {
    close();
    if (document.hidden) return;
    open();
    onChange({ monitors: true, channels: true, results: true });
  };
  document.addEventListener("visibilitychange", onVisibility);
  open();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    close();
  };
}

/** Runs at once, and then no more often than the pace; what comes meanwhile runs once after it. */
function paced(run: () => void, pace: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const rest = () => {
    timer = undefined;
    if (again) start();
  };
  const start = () => {
    again = false;
    run();
    timer = setTimeout(rest, pace);
  };
  return () => {
    if (timer) again = true;
    else start();
  };
}
