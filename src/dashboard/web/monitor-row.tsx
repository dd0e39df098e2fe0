import { memo } from "react";
import { Link } from "wouter";
import type { Standing } from "./api.ts";
import { HistoryBar } from "./history-bar.tsx";
import { useNear } from "./near.ts";
import { Badge } from "./parts.tsx";
import { StatusMark } from "./status-mark.tsx";
import { Distance } from "./time.tsx";
import {
  briefReason,
  latencyWords,
  monitorTypeWords,
  moodOf,
  reasonWords,
  targetOf,
  wordsOf,
} from "./words.ts";

interface Row {
  monitor: Standing;
  buckets: string[];
}

/** One monitor in the list. */
export const MonitorRow = memo(function MonitorRow({ monitor, buckets }: Row) {
  const { id, name, type, config, status, enabled, since, latest, detail, uptime, history } = monitor;
  const mood = moodOf(monitor);
  const why = enabled ? briefReason(detail) : "";
  const [row, near] = useNear<HTMLLIElement>();
  return (
    <li className="row" ref={row}>
      <div className="row-status">
        <StatusMark mood={mood} />
        <span>
          <span className={`word ${mood}`}>{enabled ? wordsOf(status) : "Paused"}</span>
          {since && enabled && (
            <span className="since">
              for <Distance to={since} rough />
            </span>
          )}
        </span>
      </div>
      <div className="row-name">
        <Link href={`/monitors/${id}`}>{name}</Link>
        <span className="target">
          <Badge>{monitorTypeWords[type].name}</Badge> {targetOf(type, config)}
        </span>
        {why && (
          <span className={`why ${mood}`} title={reasonWords(detail)}>
            {why}
          </span>
        )}
      </div>
      <div className="row-history">
        {near && history !== undefined && <HistoryBar type={type} history={history} buckets={buckets} />}
      </div>
      <p className="figure" title="Uptime over 90 days">
        <b>{uptime ?? "–"}</b>
        <span>uptime</span>
      </p>
      <p className="figure" title="Latest latency">
        <b>{latencyWords(latest?.latencyMs)}</b>
        <span>latency</span>
      </p>
    </li>
  );
});
