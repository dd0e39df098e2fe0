import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import type { Outage, TimelineEntry } from "../data/api.ts";
import { Failure } from "../ui/failure.tsx";
import { Time } from "../ui/time.tsx";
import { Note } from "./outage-page.tsx";
import { timelineQuery } from "./outage-queries.ts";
import { describeEntry } from "./timeline-entry.ts";

/** What happened in an outage, oldest first. */
export function Timeline({ outage }: { outage: Outage }) {
  const { data, error } = useQuery(timelineQuery(outage));
  return (
    <section className="card" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Failure error={error} />
      {data && (
        <ol className="timeline">
          {data.map((entry, at) => (
            <Entry key={at} entry={entry} startedAt={outage.startedAt} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Entry({ entry, startedAt }: { entry: TimelineEntry; startedAt: string }) {
  const { tone, parts } = describeEntry(entry);
  const quote = entry.note ?? entry.error;
  const after = Date.parse(entry.at) - Date.parse(startedAt);
  return (
    <li className={`timeline-entry timeline-${tone}`}>
      <p className="timeline-time">
        <Time at={entry.at} />
        {after >= 1000 && <span> +{formatDuration(after)}</span>}
      </p>
      <div className="timeline-content">
        <p>
          {parts.map((part, at) => (
            <Fragment key={at}>
              {at > 0 && " "}
              {typeof part === "string" ? part : <Link href={part.href}>{part.name}</Link>}
            </Fragment>
          ))}
        </p>
        {quote && <Note text={quote} />}
      </div>
    </li>
  );
}
