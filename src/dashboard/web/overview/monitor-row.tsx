import { createContext, memo, useContext } from "react";
import { Link } from "wouter";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import { kindOf } from "../../../domain/monitors/kinds/kinds.ts";
import { standingOf } from "../../../domain/monitors/standing.ts";
import type { MonitorSummary } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { plural, texts } from "../languages/texts.ts";
import { describeBriefly, describeDetail } from "../status/result-detail.ts";
import { HistoryBar } from "../status/status-bars.tsx";
import {
  AcknowledgedLabel,
  MaintenanceLabel,
  monitorStatusLabel,
  NotChecked,
  StandingMark,
} from "../status/status-mark.tsx";
import { describeTarget } from "../status/target.ts";
import { latencyOrDash } from "../ui/durations.ts";
import { percentOrDash } from "../ui/numbers.ts";
import { TimeSince } from "../ui/time.tsx";
import type { SelectMode } from "./bulk/select-mode.tsx";

/** While the reader selects monitors, each row has a check box. */
export const Selecting = createContext<SelectMode | null>(null);

interface MonitorWithBuckets {
  monitor: MonitorSummary;
  buckets: string[];
}

interface Row extends MonitorWithBuckets {
  /** Whether it is near the viewport. */
  isNear: boolean;
}

/** One monitor in the list. Far from the viewport, only its status and name are rendered, so that 1,000 rows stay cheap. */
export const MonitorRow = memo(function MonitorRow({ monitor, buckets, isNear }: Row) {
  const { id, name, type, tags, config, enabled, since, detail } = monitor;
  const standing = standingOf(monitor);
  const state = standing === "maintenance" ? "waiting" : displayStateOf(monitor);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <li> must be a child of its list
    <div className={`list-row monitor-row standing-${standing}`} role="listitem">
      <Check monitor={monitor} />
      <div className="list-row-state">
        <StandingMark standing={standing} />
        <span>
          <span className={`status-text state-${state}`}>{monitorStatusLabel(monitor)}</span>
          {isNear && since && enabled && (
            <span className="list-row-since">
              {rich(texts.overview.row.since, {
                long: (text) => <span>{text}</span>,
                duration: <TimeSince at={since} short />,
              })}
            </span>
          )}
        </span>
      </div>
      <div className="list-row-name monitor-row-name">
        <Link href={`/monitors/${id}`} title={isNear ? describeDetail(detail) || undefined : undefined}>
          {name}
        </Link>
        {isNear && <Reason monitor={monitor} />}
        {isNear && <NotChecked since={monitor.blindSince} />}
        {isNear && <AcknowledgedLabel acknowledgement={monitor.acknowledgement} />}
        {isNear && <MaintenanceLabel maintenance={monitor.maintenance} />}
        {isNear && (
          <span className="list-row-detail">
            {[texts.common.kinds[kindOf(type, config)], describeTarget(type, config), ...tags].join(" · ")}
          </span>
        )}
      </div>
      {isNear && <Figures monitor={monitor} buckets={buckets} />}
    </div>
  );
}, looksTheSame);

/** A component of its own: the start of the mode renders only these again. */
function Check({ monitor }: Pick<Row, "monitor">) {
  const mode = useContext(Selecting);
  return mode && <mode.Checkbox selection={mode.selection} monitor={monitor} />;
}

/** A result changes nothing in a row that is far from the viewport. */
function looksTheSame(before: Row, after: Row): boolean {
  const [one, other] = [before.monitor, after.monitor];
  if (before.isNear || after.isNear)
    return before.isNear === after.isNear && one === other && before.buckets === after.buckets;
  return one.name === other.name && one.status === other.status && standingOf(one) === standingOf(other);
}

/**
 * The reason of a problem in a few words, and how many locations see the monitor down while
 * it is not.
 */
function Reason({ monitor }: { monitor: MonitorSummary }) {
  const { enabled, detail, seenDown } = monitor;
  // The latest check may be from a location that sees something else.
  const brief = detail?.seen ? "" : describeBriefly(detail);
  const text = [brief, seenDown && plural(texts.overview.row.downFrom, seenDown.by, { total: seenDown.of })]
    .filter(Boolean)
    .join(" · ");
  if (!enabled || !text) return null;
  const state = displayStateOf(monitor) === "down" ? "down" : "warning";
  return <span className={`monitor-row-reason state-${state}`}>{text}</span>;
}

function Figures({ monitor: { type, latest, uptime, history }, buckets }: MonitorWithBuckets) {
  const words = texts.overview.row;
  return (
    <>
      <div className="monitor-row-history">
        {history && <HistoryBar type={type} history={history} buckets={buckets} />}
      </div>
      <p className="monitor-row-figure" title={words.uptimeHint}>
        <b>{percentOrDash(uptime)}</b>
        <span>{words.uptime}</span>
      </p>
      <p className="monitor-row-figure" title={words.latencyHint}>
        <b>{latencyOrDash(latest?.latencyMs)}</b>
        <span>{words.latency}</span>
      </p>
    </>
  );
}
