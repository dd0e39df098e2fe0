import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useState } from "react";
import { type DisplayState, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../../domain/monitors/status.ts";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
import { formatLatency } from "../ui/durations.ts";
import { dateFormat } from "../ui/time.tsx";

interface Bars {
  statuses: Status[];
  /** The text of a bar. */
  describe: (at: number) => string;
  label: string;
  /** Whether the keyboard can select bars. */
  focusable?: boolean;
  /** A click on a bar, or Enter, opens it. */
  onOpen?: (at: number) => void;
  /** Whether the time of the bar opens, or its check. */
  opens?: "time" | "check";
  /** The latency of each bar, which its height says; null without one. Without it, the height says only the state. */
  latencies?: readonly (number | null)[];
  /** Whether a bar is of a finding that is not confirmed. */
  isUnsure?: (at: number) => boolean;
}

const HEIGHT = 28;
/** Fractions of the height. A problem is also visible by the size of its bar. */
const sizes: Record<DisplayState, number> = {
  healthy: 0.78,
  warning: 0.9,
  down: 1,
  waiting: 0.16,
  paused: 0.16,
};
/** The lowest bar of a strip whose heights say latencies, and the range above it. */
const LOWEST = 0.18;
const RANGE = 0.72;
const STATES_SHOWN = ["waiting", "healthy", "warning", "down"] as const;

/** A bar for each status, oldest first: one SVG path for each state, so that 1,000 of these stay cheap. */
export function StatusBars({ statuses, describe, label, focusable, onOpen, opens = "time", ...look }: Bars) {
  const [selected, setAt] = useState<number | null>(null);
  const count = statuses.length;
  // There may be fewer bars than before.
  const at = selected !== null && selected < count ? selected : null;
  const barAt = ({ clientX, currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  const onPointer = (event: PointerEvent<HTMLElement>) => setAt(barAt(event));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") onOpen?.(at ?? count - 1);
    const next = moveSelection(event.key, at ?? count - 1, count);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  const tip = at === null ? undefined : describe(at);
  return (
    <div
      className={onOpen ? "history history-opens" : "history"}
      dir="ltr"
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setAt(null)}
      {...(focusable && {
        role: "slider",
        tabIndex: 0,
        onKeyDown,
        // A finger has left the strip before its click comes.
        onClick: (event: MouseEvent<HTMLElement>) => onOpen?.(barAt(event)),
        onFocus: () => setAt(count - 1),
        onBlur: () => setAt(null),
        "aria-label": describeKeyboard(label, onOpen && opens),
        "aria-valuemin": 1,
        "aria-valuemax": count,
        "aria-valuenow": (at ?? count - 1) + 1,
        "aria-valuetext": tip ?? summarize(label, statuses),
      })}
    >
      <svg
        viewBox={`0 0 ${count} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summarize(label, statuses)}
      >
        {STATES_SHOWN.map((state) => {
          const path = barsOf({ statuses, ...look }, state);
          return path && <path key={state} className={`history-${state}`} d={path} />;
        })}
        {look.isUnsure && (
          <path
            className="history-unsure"
            d={barsWhere(
              statuses,
              (at) => look.isUnsure?.(at) ?? false,
              () => 0.45,
            )}
          />
        )}
        {at !== null && <rect className="history-picked" x={at} y="0" width="1" height={HEIGHT} />}
      </svg>
      {at !== null && (
        <span className="history-tip" dir="auto" ref={placeTip(at, count)}>
          {tip}
        </span>
      )}
    </div>
  );
}

/** The path of all bars of one state. */
function barsOf({ statuses, latencies }: Pick<Bars, "statuses" | "latencies">, state: DisplayState): string {
  const highest = Math.max(1, ...(latencies ?? []).map((latency) => latency ?? 0));
  const height = (at: number) => {
    const latency = latencies?.[at];
    // A failure is always as high as the strip.
    if (state === "down" || latency === null || latency === undefined) return sizes[state];
    return LOWEST + RANGE * (latency / highest);
  };
  return barsWhere(statuses, (at) => displayStateOfStatus(statuses[at] ?? "unknown") === state, height);
}

/** @param height a fraction of the height of the strip */
function barsWhere(
  statuses: readonly Status[],
  isShown: (at: number) => boolean,
  height: (at: number) => number,
): string {
  const gap = statuses.length > 40 ? 0.25 : 0.18;
  return statuses
    .map((_, at) => {
      const high = HEIGHT * height(at);
      return isShown(at) ? `M${at + gap / 2} ${HEIGHT}v${-high}h${1 - gap}v${high}z` : "";
    })
    .join("");
}

/** Positions the tip by script, because the page's Content-Security-Policy forbids style attributes. */
function placeTip(at: number, count: number) {
  return (tip: HTMLElement | null) => {
    if (!tip) return;
    const center = `${((at + 0.5) / count) * 100}%`;
    tip.style.left = at > count / 2 ? "" : center;
    tip.style.right = at > count / 2 ? `calc(100% - ${center})` : "";
  };
}

function moveSelection(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, at - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(count - 1, at + 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

function describeKeyboard(strip: string, opens: Bars["opens"]): string {
  const { keyboard, keyboardTime, keyboardCheck } = texts.status.bars;
  if (!opens) return fill(keyboard, { strip });
  return fill(opens === "time" ? keyboardTime : keyboardCheck, { strip });
}

function summarize(strip: string, statuses: Status[]): string {
  const words = texts.status.bars;
  const states = STATES_SHOWN.toReversed().flatMap((state) => {
    const count = statuses.filter((status) => displayStateOfStatus(status) === state).length;
    return count > 0 ? [plural(words.states[state], count)] : [];
  });
  const bars = plural(words.bars, statuses.length);
  return fill(words.summary, { strip, bars, states: listOf(states, "unit") });
}

interface History {
  type: MonitorType;
  /** One character for each bucket, as the API sends it in `MonitorSummary`. */
  history: string;
  /** The start of each bucket, ISO 8601. */
  buckets: string[];
  /** Whether the keyboard can select buckets. */
  focusable?: boolean;
  /** A click on a bucket, or Enter, opens it. */
  onOpen?: (at: number) => void;
  /** The mean latency of each bucket; null without one. */
  latencies?: readonly (number | null)[];
}

/** A bar for each bucket, oldest first. */
export const HistoryBar = memo(function HistoryBar({ type, history, buckets, ...props }: History) {
  const statuses = [...history].map((letter): Status => statusesOf[type][Number(letter)] ?? "unknown");
  return (
    <StatusBars
      {...props}
      statuses={statuses}
      describe={(at) => describeBucket(buckets, at, statuses[at] ?? "unknown", props.latencies?.[at])}
      label={texts.status.bars.history}
    />
  );
});

const hourFormat = dateFormat({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const dayFormat = dateFormat({ month: "short", day: "numeric", timeZone: "UTC" });

/** Hours are in the reader's zone. Days are in UTC, because the server counts UTC days. */
function describeBucket(buckets: string[], at: number, state: Status, latencyMs?: number | null): string {
  const words = texts.status.bars;
  const start = new Date(buckets[at] ?? "");
  const time = isDaily(buckets)
    ? fill(words.utcDay, { day: dayFormat.format(start) })
    : hourFormat.format(start);
  const status = state === "unknown" ? words.noChecks : texts.status.label[state];
  if (latencyMs === null || latencyMs === undefined) return fill(words.bar, { time, status });
  return fill(words.barWithLatency, { time, status, latency: formatLatency(latencyMs) });
}

function isDaily([first, second]: string[]): boolean {
  return Date.parse(second ?? "") - Date.parse(first ?? "") >= 86_400_000;
}
