import { useEffect, useState } from "react";
import type { Wall } from "../data/api.ts";

/** Milliseconds between two requests. */
const INTERVAL = 5000;
/** Milliseconds after which a request counts as lost. */
const PATIENCE = 10_000;
/** Milliseconds between two requests after the server has refused one. */
const REFUSED_INTERVAL = 60_000;
/** Milliseconds: while nodes with different versions answer, the wall must not reload itself each time. */
const SHORTEST_LIFE = 60_000;

export interface WallFeed {
  /** The latest data of the server; null before the first. */
  wall: Wall | null;
  /** When the server has last answered, in milliseconds since 1970; 0 before that. */
  updatedAt: number;
  /** Milliseconds that the clock of the server is ahead. */
  skew: number;
  state: "connected" | "lost" | "refused";
}

/** Asks the server again and again, and reloads the page after an update of the server. @param url of the data */
export function useWall(url: string): WallFeed {
  const [feed, setFeed] = useState<WallFeed>({ wall: null, updatedAt: 0, skew: 0, state: "connected" });
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let lastText = "";
    let build: string | undefined;
    const ask = async () => {
      const { text, date, state } = await request(url, ending.signal);
      if (ending.signal.aborted) return;
      const wall: Wall | undefined = text === lastText || !text ? undefined : JSON.parse(text).data;
      if (wall) lastText = text;
      build ??= wall?.build;
      if (wall && wall.build !== build && performance.now() > SHORTEST_LIFE) location.reload();
      setFeed((before) => ({
        wall: state === "refused" ? null : (wall ?? before.wall),
        updatedAt: state === "connected" ? Date.now() : before.updatedAt,
        skew: date === null ? before.skew : Date.parse(date) - Date.now(),
        state,
      }));
      timer = setTimeout(ask, state === "refused" ? REFUSED_INTERVAL : INTERVAL);
    };
    void ask();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [url]);
  return feed;
}

interface Answer {
  /** Empty without data. */
  text: string;
  /** The clock of the server, as a header. */
  date: string | null;
  state: WallFeed["state"];
}

/** The browser sends the `ETag` of the previous answer by itself. */
async function request(url: string, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) });
    const date = response.headers.get("date");
    if (response.ok) return { text: await response.text(), date, state: "connected" };
    const isRefused = response.status === 401 || response.status === 404;
    return { text: "", date, state: isRefused ? "refused" : "lost" };
  } catch {
    return { text: "", date: null, state: "lost" };
  }
}
