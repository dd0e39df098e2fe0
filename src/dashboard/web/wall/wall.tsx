import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { isTroubled, STANDINGS, type Standing } from "../../../domain/monitors/standing.ts";
import { base } from "../app/base.ts";
import type { Wall } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { StandingMark } from "../status/status-mark.tsx";
import { formatDuration } from "../ui/durations.ts";
import { Logo } from "../ui/logo.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { dateFormat } from "../ui/time.tsx";
import { fitText, fitTiles } from "./fit-tiles.ts";
import {
  cellsOf,
  describeOthers,
  describeReason,
  headingSize,
  layOut,
  shortenNames,
  type Tile,
} from "./wall-cells.ts";

/** Shows the wall: with the token in its address, or to a reader who is signed in. */
export function showWall(root: Element): void {
  // The wall is dark whatever the theme is, because it also hangs in dark rooms.
  document.documentElement.dataset.theme = "dark";
  const token = location.pathname.slice(base.length).split("/")[2];
  const params = new URLSearchParams(location.search);
  const tag = params.get("tag");
  const own = `${base}/api/v1/wall${tag ? `?${new URLSearchParams({ tag })}` : ""}`;
  createRoot(root).render(
    <WallView
      url={token ? `${base}/api/wall/${token}` : own}
      hasLink={!token}
      byTag={params.get("by") === "tag"}
    />,
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
    document.title = `${down > 0 ? `(${down}) ` : ""}${title === "stillup" ? texts.wall.title : title} · stillup`;
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
        {hasLink ? <a href={`${base}/`}>{brand}</a> : brand}
        <h1>{title}</h1>
        {wall && <Counts counts={wall.counts} />}
        <FullScreenButton />
        <Clock updatedAt={feed.updatedAt} />
      </header>
      <Trouble feed={feed} hasLink={hasLink} />
      {wall?.monitors.length === 0 && <p className="wall-none">{texts.wall.none}</p>}
      {wall && wall.monitors.length > 0 && <Monitors wall={wall} byTag={byTag} skew={feed.skew} />}
    </main>
  );
}

function Counts({ counts }: { counts: Wall["counts"] }) {
  return (
    <ul className="wall-counts" aria-label={texts.wall.lists.counts}>
      {STANDINGS.filter((standing) => counts[standing] > 0).map((standing) => (
        <li key={standing} className={`state-${standing}`}>
          <StandingMark standing={standing} size={24} />
          <b>{formatNumber(counts[standing])}</b> {texts.status.standing[standing]}
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
      {texts.wall.fullScreen}
    </button>
  );
}

const timeOfDay = dateFormat({ hour: "2-digit", minute: "2-digit" });
const exactTime = dateFormat({ timeStyle: "medium" });

function Clock({ updatedAt }: { updatedAt: number }) {
  const { updated, connecting } = texts.wall;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="wall-clock">
      <b>{timeOfDay.format(now)}</b>
      <span>{updatedAt > 0 ? fill(updated, { time: exactTime.format(updatedAt) }) : connecting}</span>
    </p>
  );
}

function Trouble({ feed: { state, updatedAt }, hasLink }: { feed: WallFeed; hasLink: boolean }) {
  const words = texts.wall;
  const b = (text: string) => <b>{text}</b>;
  const link = (text: string) => <a href={`${base}/`}>{text}</a>;
  return (
    <div role="alert">
      {state === "lost" && (
        <p className="wall-trouble">
          {updatedAt > 0
            ? rich(words.lostSince, { b, time: exactTime.format(updatedAt) })
            : rich(words.lost, { b })}
        </p>
      )}
      {state === "refused" && (
        <p className="wall-trouble">
          {hasLink ? rich(words.signedOut, { b, link }) : rich(words.brokenLink, { b })}
        </p>
      )}
    </div>
  );
}

/** Monitors in trouble, large and first; below them the others, as tiles or as dots. */
function Monitors({ wall, byTag, skew }: { wall: Wall; byTag: boolean; skew: number }) {
  const body = useRef<HTMLDivElement>(null);
  const space = useSize(body);
  const { troubled, others, share, dots } = layOut(wall.monitors, space);
  const height = Math.floor(space.height * share);
  const now = Date.now() + skew;
  const countsOf = (isWanted: (standing: Standing) => boolean) =>
    Object.fromEntries(STANDINGS.map((one) => [one, isWanted(one) ? wall.counts[one] : 0])) as Wall["counts"];
  return (
    <div ref={body} className="wall-body" style={{ gridTemplateRows: `${height}px minmax(0, 1fr)` }}>
      <Tiles
        label={texts.wall.lists.troubled}
        tiles={troubled}
        counts={countsOf(isTroubled)}
        space={{ width: space.width, height }}
        now={now}
      />
      {dots ? (
        <Dots
          {...dots}
          rest={describeOthers(
            countsOf((one) => !isTroubled(one)),
            others,
          )}
        />
      ) : (
        <Tiles
          label={texts.wall.lists.monitors}
          tiles={others}
          byTag={byTag}
          counts={countsOf((one) => !isTroubled(one))}
          space={{ width: space.width, height: space.height - height }}
          now={now}
        />
      )}
    </div>
  );
}

interface TilesProps {
  label: string;
  tiles: readonly Tile[];
  byTag?: boolean;
  /** The number of all monitors of which these are a part, or all. */
  counts: Wall["counts"];
  space: { width: number; height: number };
  now: number;
}

function Tiles({ label, tiles, byTag = false, counts, space, now }: TilesProps) {
  if (tiles.length === 0) return <span />;
  const cells = cellsOf(tiles, byTag);
  const { columns, rows, shown } = fitTiles(cells.length, space);
  const visible = cells.slice(0, shown);
  const shownTiles = visible.flatMap((cell) => (cell.kind === "tile" ? [cell.tile] : []));
  const others = describeOthers(counts, shownTiles);
  const known = shownTiles.map(({ name }) => name);
  const { text, lines, letters, isLow } = fitText(
    known,
    { width: space.width / columns, height: space.height / rows },
    shownTiles.some(({ reason }) => reason !== null),
  );
  const names = shortenNames(known, letters);
  return (
    <ul
      className={`wall-tiles ${isLow ? "wall-low" : ""}`}
      aria-label={label}
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
        fontSize: `${text}px`,
      }}
    >
      {visible.map((cell, at) =>
        cell.kind === "tile" ? (
          <MonitorTile
            key={at}
            tile={cell.tile}
            name={names.get(cell.tile.name) ?? cell.tile.name}
            lines={lines}
            now={now}
          />
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

interface MonitorTileProps {
  tile: Tile;
  name: string;
  /** The most lines of the name. */
  lines: number;
  now: number;
}

function MonitorTile({ tile, name, lines, now }: MonitorTileProps) {
  const { state, standing, since } = tile;
  const reason = describeReason(tile);
  const words = wordsOf(tile);
  return (
    <li className={`wall-tile wall-tile-${standing}`} title={tile.name}>
      <span className="wall-name">
        <StandingMark standing={standing} />
        <bdi style={{ WebkitLineClamp: lines }}>{name}</bdi>
      </span>
      {reason && <span className="wall-reason">{reason}</span>}
      <span className="wall-since">
        {since && state !== "paused"
          ? fill(texts.wall.lasts, {
              status: words,
              duration: onOneLine(formatDuration(Math.max(0, now - Date.parse(since)))),
            })
          : words}
      </span>
    </li>
  );
}

function onOneLine(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

/** The status of a monitor, with what people do about it. */
function wordsOf({ state, standing, status }: Tile): string {
  const label = state === "paused" ? texts.status.standing.paused : texts.status.label[status];
  const isAttended = standing === "maintenance" || standing === "acknowledged";
  return isAttended ? `${texts.status.standing[standing]} · ${label}` : label;
}

interface DotsProps extends NonNullable<ReturnType<typeof layOut>["dots"]> {
  /** How many others there are; empty for none. */
  rest: string;
}

/** Monitors that need nobody, too many for tiles: a mark for each, by tag. */
function Dots({ groups, columns, dot, rest }: DotsProps) {
  const size = Math.round(dot * 0.74);
  return (
    <div
      className="wall-groups"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        fontSize: `${headingSize(dot)}px`,
      }}
    >
      {groups.map(({ tag, tiles }) => (
        <section key={tag} aria-label={tag || texts.wall.lists.others}>
          {tag && (
            <h2>
              {tag} <span>{formatNumber(tiles.length)}</span>
            </h2>
          )}
          <ul className="wall-dots" style={{ gap: `${dot - size}px` }}>
            {tiles.map((tile, at) => (
              <li key={at} className="wall-dot" title={`${tile.name}: ${wordsOf(tile)}`}>
                <StandingMark standing={tile.standing} size={size} />
                <span className="visually-hidden">{`${tile.name}: ${wordsOf(tile)}`}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {rest && <p className="text-muted">{rest}</p>}
    </div>
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
