import { memo } from "react";
import { Link } from "wouter";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import type { Standing } from "../data/api.ts";
import { monitorTypeWords, targetOf } from "../monitor/monitor-type.ts";
import { HistoryBar } from "../status/history-bar.tsx";
import { briefReason, reasonWords } from "../status/result-detail.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { wordsOf } from "../status/status-names.ts";
import { Badge } from "../ui/badge.tsx";
import { latencyWords } from "../ui/numbers.ts";
import { Distance } from "../ui/time.tsx";

interface Past {
  monitor: Standing;
  buckets: string[];
}

interface Row extends Past {
  /** Whether it is near what is seen. */
  near: boolean;
}

/**
 * One monitor in the list. Far from what is seen it is its status and its name alone: a thousand rows stay light, and the
 * browser's own search finds them all.
 */
export const MonitorRow = memo(function MonitorRow({ monitor, buckets, near }: Row) {
  const { id, name, type, config, status, enabled, since } = monitor;
  const mood = displayStateOf(monitor);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <li> has to stand in its list itself
    <div className="row" role="listitem">
      <div className="row-status">
        <StatusMark mood={mood} />
        <span>
          <span className={`word ${mood}`}>{enabled ? wordsOf(status) : "Paused"}</span>
          {near && since && enabled && (
            <span className="since">
              for <Distance to={since} rough />
            </span>
          )}
        </span>
      </div>
      <div className="row-name">
        <Link href={`/monitors/${id}`}>{name}</Link>
        {near && (
          <span className="target">
            <Badge>{monitorTypeWords[type].name}</Badge> {targetOf(type, config)}
          </span>
        )}
        {near && <Why monitor={monitor} />}
      </div>
      {near && <Figures monitor={monitor} buckets={buckets} />}
    </div>
  );
}, looksTheSame);

/** Whether it would be drawn as it is: results change nothing of a row that is far. */
function looksTheSame(before: Row, after: Row): boolean {
  const [one, other] = [before.monitor, after.monitor];
  if (before.near || after.near)
    return before.near === after.near && one === other && before.buckets === after.buckets;
  return one.name === other.name && one.status === other.status && one.enabled === other.enabled;
}

/** Why it is in trouble, in few words; in more under the pointer. */
function Why({ monitor: { enabled, detail, ...monitor } }: { monitor: Standing }) {
  const brief = enabled ? briefReason(detail) : "";
  if (!brief) return null;
  return (
    <span className={`why ${displayStateOf({ ...monitor, enabled })}`} title={reasonWords(detail)}>
      {brief}
    </span>
  );
}

function Figures({ monitor: { type, latest, uptime, history }, buckets }: Past) {
  return (
    <>
      <div className="row-history">
        {history && <HistoryBar type={type} history={history} buckets={buckets} />}
      </div>
      <p className="figure" title="Uptime over 90 days">
        <b>{uptime ?? "–"}</b>
        <span>uptime</span>
      </p>
      <p className="figure" title="Latest latency">
        <b>{latencyWords(latest?.latencyMs)}</b>
        <span>latency</span>
      </p>
    </>
  );
}
