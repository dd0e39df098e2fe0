import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { formatDuration } from "../../../domain/duration.ts";
import { STANDINGS } from "../../../domain/monitors/standing.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Wall } from "../data/api.ts";
import {
  MaintenanceMark,
  StandingMark,
  StatusMark,
  standingLabels,
  stateLabels,
} from "../status/status-mark.tsx";
import { Logo } from "../ui/logo.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { dateFormat } from "../ui/time.tsx";
import { fitTiles } from "./fit-tiles.ts";
import { type Cell, cellsOf, describeOthers, type Tile } from "./wall-cells.ts";

/** Shows the wall: with the token in its address, or to a reader who is signed in. */
export function showWall(root: Element): void {
  // The wall is dark whatever the theme is, because it also hangs in dark rooms.
  document.documentElement.dataset.theme = "dark";
  const token = location.pathname.split("/")[2];
  const params = new URLSearchParams(location.search);
  const tag = params.get("tag");
  const own = `/api/v1/wall${tag ? `?${new URLSearchParams({ tag })}` : ""}`;
  createRoot(root).render(
    <WallView url={token ? `/api/wall/${token}` : own} hasLink={!token} byTag={params.get("by") === "tag"} />,
  );
}

interface Props {
  url: string;
  /** Whether the logo leads to the overview. */
  hasLink: boolean;
  byTag: boolean;
}

function WallView({ url, hasLink, byTag }: Props) {
  const feed = useWall(url);
  const { wall, state } = feed;
  const title = wall?.title ?? wall?.tag ?? "stillup";
  const { down = 0 } = wall?.counts ?? {};
  useEffect(() => {
    document.title = `${down > 0 ? `(${down}) ` : ""}${title === "stillup" ? "Wall" : title} · stillup`;
  }, [title, down]);
  const brand = (
    <>
      <Logo size={32} />
      <span className="visually-hidden">stillup</span>
    </>
  );
  return (
    <main className={`wall wall-${state}`}>
      <header className="wall-head">
        {hasLink ? <a href="/">{brand}</a> : brand}
        <h1>{title}</h1>
        {wall && <Counts counts={wall.counts} />}
        <FullScreenButton />
        <Clock updatedAt={feed.updatedAt} />
      </header>
      <Trouble feed={feed} hasLink={hasLink} />
      {wall?.monitors.length === 0 && <p className="wall-none">No monitors.</p>}
      {wall && wall.monitors.length > 0 && (
        <Tiles wall={wall} cells={cellsOf(wall.monitors, byTag)} skew={feed.skew} />
      )}
    </main>
  );
}

function Counts({ counts }: { counts: Wall["counts"] }) {
  return (
    <ul className="wall-counts" aria-label="Monitors by state">
      {STANDINGS.filter((standing) => counts[standing] > 0).map((standing) => (
        <li key={standing} className={`state-${standing}`}>
          <StandingMark standing={standing} size={24} />
          <b>{formatNumber(counts[standing])}</b> {standingLabels[standing]}
        </li>
      ))}
    </ul>
  );
}

/** Not offered while the wall is on the full screen, and where the browser cannot do it. */
function FullScreenButton() {
  const root = document.documentElement;
  if (!document.fullscreenEnabled) return null;
  return (
    <button type="button" className="wall-full" onClick={() => root.requestFullscreen().catch(() => {})}>
      Full screen
    </button>
  );
}

const timeOfDay = dateFormat({ hour: "2-digit", minute: "2-digit" });
const exactTime = dateFormat({ timeStyle: "medium" });

function Clock({ updatedAt }: { updatedAt: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="wall-clock">
      <b>{timeOfDay.format(now)}</b>
      <span>{updatedAt > 0 ? `Updated at ${exactTime.format(updatedAt)}` : "Connecting…"}</span>
    </p>
  );
}

function Trouble({ feed: { state, updatedAt }, hasLink }: { feed: WallFeed; hasLink: boolean }) {
  return (
    <div role="alert">
      {state === "lost" && (
        <p className="wall-trouble">
          <b>Connection lost.</b> {updatedAt > 0 && `What you see is from ${exactTime.format(updatedAt)}. `}
          Reconnecting…
        </p>
      )}
      {state === "refused" && (
        <p className="wall-trouble">
          {hasLink ? (
            <>
              <b>You are signed out.</b> <a href="/">Sign in</a>, or use a link of the wall.
            </>
          ) : (
            <>
              <b>This link does not work.</b> It was deleted, or is not complete.
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Pixels of a cell for each pixel of the text in it. */
const PER_TEXT = { width: 11, height: 3.6 };
/** Pixels. */
const TEXT = { smallest: 12, largest: 56 };
/** Pixels: in a lower cell, there is only room for the name. */
const LOW = 62;

function Tiles({ wall, cells, skew }: { wall: Wall; cells: Cell[]; skew: number }) {
  const list = useRef<HTMLUListElement>(null);
  const space = useSize(list);
  const { columns, rows, shown } = fitTiles(cells.length, space);
  const [width, height] = [space.width / columns, space.height / rows];
  const text = Math.min(width / PER_TEXT.width, height / PER_TEXT.height, TEXT.largest);
  const visible = cells.slice(0, shown);
  const others = describeOthers(wall.counts, visible);
  const now = Date.now() + skew;
  return (
    <ul
      ref={list}
      className={`wall-tiles ${height < LOW ? "wall-low" : ""}`}
      aria-label="Monitors"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
        fontSize: `${Math.max(text, TEXT.smallest)}px`,
      }}
    >
      {visible.map((cell, at) =>
        cell.kind === "tile" ? (
          <MonitorTile key={at} tile={cell.tile} now={now} />
        ) : (
          <li key={at} className="wall-heading">
            {cell.text}
          </li>
        ),
      )}
      {others && <li className="wall-heading">{others}</li>}
    </ul>
  );
}

function MonitorTile({ tile, now }: { tile: Tile; now: number }) {
  const { name, state, standing, status, since } = tile;
  const isInMaintenance = standing === "maintenance";
  const label = state === "paused" ? stateLabels.paused : statusLabel[status];
  return (
    <li className={`wall-tile wall-tile-${standing}`} title={name}>
      <span className="wall-name">
        {isInMaintenance ? <MaintenanceMark /> : <StatusMark state={state} />}
        <bdi>{name}</bdi>
      </span>
      <span className="wall-since">
        {isInMaintenance && "In maintenance · "}
        {standing === "acknowledged" && "Acknowledged · "}
        {label}
        {since && state !== "paused" && ` for ${formatDuration(Math.max(0, now - Date.parse(since)))}`}
      </span>
    </li>
  );
}

/** The size of an element in pixels, before its first paint and after each change. */
function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Milliseconds between two requests. */
const INTERVAL = 5000;
/** Milliseconds after which a request counts as lost. */
const PATIENCE = 10_000;
/** Milliseconds between two requests after the server has refused one. */
const REFUSED_INTERVAL = 60_000;
/** Milliseconds: while nodes with different versions answer, the wall must not reload itself each time. */
const SHORTEST_LIFE = 60_000;

interface WallFeed {
  /** The latest data of the server; null before the first. */
  wall: Wall | null;
  /** When the server has last answered, in milliseconds since 1970; 0 before that. */
  updatedAt: number;
  /** Milliseconds that the clock of the server is ahead. */
  skew: number;
  state: "connected" | "lost" | "refused";
}

/** Asks the server again and again, and reloads the page after an update of the server. @param url of the data */
function useWall(url: string): WallFeed {
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
