import { type KeyboardEvent, memo, type PointerEvent, useState } from "react";
import { type DisplayState, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../../domain/monitors/status.ts";
import { countWords } from "../ui/numbers.ts";
import { bucketWords } from "../ui/time.tsx";
import { wordsOf } from "./status-names.ts";

interface Past {
  type: MonitorType;
  /** One character for each bucket, see `Standing`. */
  history: string;
  buckets: string[];
  /** Whether the keyboard reaches the buckets, by the arrow keys. */
  reachable?: boolean;
}

const HEIGHT = 28;
/** Of the height. Trouble stands out by its size too. */
const sizes: Record<DisplayState, number> = {
  healthy: 0.78,
  warning: 0.9,
  down: 1,
  waiting: 0.16,
  paused: 0.16,
};
const MOODS_SHOWN = ["waiting", "healthy", "warning", "down"] as const;

/** A bar for each bucket, oldest first: one path for each mood, so that a thousand of these stay light. */
export const HistoryBar = memo(function HistoryBar({ type, history, buckets, reachable }: Past) {
  const [at, setAt] = useState<number | null>(null);
  const statuses = [...history].map((letter): Status => statusesOf[type][Number(letter)] ?? "unknown");
  const count = statuses.length;
  const pick = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count))));
  };
  const step = (event: KeyboardEvent) => {
    const next = stepped(event.key, at ?? count - 1, count);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  const shown = at === null ? undefined : { at, status: statuses[at] ?? "unknown", start: buckets[at] ?? "" };
  const words = shown && `${bucketWords(shown.start, isDaily(buckets))}: ${bucketStatus(shown.status)}`;
  return (
    <div
      className="history"
      onPointerMove={pick}
      onPointerDown={pick}
      onPointerLeave={() => setAt(null)}
      {...(reachable && {
        role: "slider",
        tabIndex: 0,
        onKeyDown: step,
        onFocus: () => setAt(count - 1),
        onBlur: () => setAt(null),
        "aria-label": "History, one step for each bar",
        "aria-valuemin": 1,
        "aria-valuemax": count,
        "aria-valuenow": (at ?? count - 1) + 1,
        "aria-valuetext": words ?? summary(statuses),
      })}
    >
      <svg
        viewBox={`0 0 ${count} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary(statuses)}
      >
        {MOODS_SHOWN.map((mood) => {
          const bars = barsOf(statuses, mood);
          return bars && <path key={mood} className={`bar ${mood}`} d={bars} />;
        })}
        {shown && <rect className="picked" x={shown.at} y="0" width="1" height={HEIGHT} />}
      </svg>
      {shown && (
        <span className={`tip ${shown.at > count / 2 ? "from-right" : ""}`} ref={placed(shown.at, count)}>
          {words}
        </span>
      )}
    </div>
  );
});

function barsOf(statuses: Status[], mood: DisplayState): string {
  const height = HEIGHT * sizes[mood];
  const gap = statuses.length > 40 ? 0.25 : 0.18;
  return statuses
    .map((status, at) =>
      displayStateOfStatus(status) === mood
        ? `M${at + gap / 2} ${HEIGHT}v${-height}h${1 - gap}v${height}z`
        : "",
    )
    .join("");
}

/** Set on the element itself: a style attribute would be refused by the page's own policy. */
function placed(at: number, count: number) {
  return (tip: HTMLElement | null) => {
    if (!tip) return;
    const share = `${((at + 0.5) / count) * 100}%`;
    tip.style.left = at > count / 2 ? "" : share;
    tip.style.right = at > count / 2 ? `calc(100% - ${share})` : "";
  };
}

function stepped(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, at - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(count - 1, at + 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

function isDaily([first, second]: string[]): boolean {
  return Date.parse(second ?? "") - Date.parse(first ?? "") >= 86_400_000;
}

function bucketStatus(status: Status): string {
  return status === "unknown" ? "no checks" : wordsOf(status);
}

function summary(statuses: Status[]): string {
  const words = MOODS_SHOWN.toReversed().flatMap((mood) => {
    const count = statuses.filter((status) => displayStateOfStatus(status) === mood).length;
    return count > 0 ? [`${count} ${mood === "waiting" ? "without checks" : mood}`] : [];
  });
  return `History of ${countWords(statuses.length, "bar")}: ${words.join(", ")}`;
}
