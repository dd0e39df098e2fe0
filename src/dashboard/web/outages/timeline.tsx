import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Outage, TimelineEntry } from "../data/api.ts";
import { Card } from "../ui/card.tsx";
import { Failure } from "../ui/failure.tsx";
import { Time } from "../ui/time.tsx";
import { Note } from "./outage-state.tsx";
import { timelineQuery } from "./outages.tsx";

/** The events of an outage, oldest first. @property cause what its first check saw; empty if that is not known */
export function Timeline({ outage, cause }: { outage: Outage; cause: string }) {
  const { data, error } = useQuery(timelineQuery(outage));
  return (
    <Card id="timeline" title="Timeline">
      <Failure error={error} />
      {data && (
        <ol className="timeline">
          {data.map((entry, at) => (
            <Entry key={at} entry={entry} startedAt={outage.startedAt} cause={cause} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Entry({ entry, startedAt, cause }: { entry: TimelineEntry; startedAt: string; cause: string }) {
  const { tone, parts } = describeEntry(entry);
  const quote = entry.note ?? entry.error ?? (entry.kind === "seen" ? cause : "");
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

/** How an entry is marked: by the state that it reports, or as something that people or this service did. */
type Tone = "down" | "warning" | "healthy" | "waiting" | "sent" | "unsent" | "failed" | "person";

/** A part of a sentence. */
export type Part = string | { name: string; href: string };

interface EntryContent {
  tone: Tone;
  /** A sentence without its period, between whose parts are spaces. */
  parts: Part[];
}

/** The words of an entry of a timeline. */
export function describeEntry(entry: TimelineEntry): EntryContent {
  return contents[entry.kind](entry);
}

type Describe = (entry: TimelineEntry) => EntryContent;

const contents: Record<TimelineEntry["kind"], Describe> = {
  seen: observed("A check first saw"),
  confirmed: observed("Confirmed:"),
  worsened: observed("Got worse:"),
  recovered: observed("Recovered:"),
  ended: () => ({
    tone: "waiting",
    parts: ["Ended without a recovery: the monitor was paused, or no location could check it"],
  }),
  notified: (entry) => ({ tone: "sent", parts: ["Notified", channelOf(entry), `of ${statusOf(entry)}`] }),
  reminded: (entry) => ({ tone: "sent", parts: ["Reminded", channelOf(entry), `of ${statusOf(entry)}`] }),
  failed: (entry) => ({
    tone: "failed",
    parts: ["Could not notify", channelOf(entry), `of ${statusOf(entry)}`],
  }),
  muted: (entry) => ({ tone: "unsent", parts: [...unsent(entry), "because", ...causeOf(entry)] }),
  withdrawn: (entry) => ({
    tone: "unsent",
    parts: [...unsent(entry), ...(entry.why ? [`because ${reasons[entry.why]}`] : [])],
  }),
  acknowledged: ({ by }) => ({ tone: "person", parts: [`Acknowledged by ${by ?? "a deleted key"}`] }),
};

const reasons: Record<NonNullable<TimelineEntry["why"]>, string> = {
  ended: "the outage ended first",
  acknowledged: "the outage was acknowledged",
  superseded: "a newer notification replaced it",
  paused: "the monitor was paused",
};

function observed(label: string): Describe {
  return (entry) => ({
    tone: entry.status ? toneOf(entry.status) : "waiting",
    parts: [`${label} ${statusOf(entry)}`],
  });
}

function toneOf(status: NonNullable<TimelineEntry["status"]>): Tone {
  const state = displayStateOfStatus(status);
  return state === "paused" ? "waiting" : state;
}

function statusOf({ status }: TimelineEntry): string {
  return statusLabel(status ?? "unknown");
}

/** The page has no view of a deleted channel. */
function channelOf({ channel }: TimelineEntry): Part {
  if (!channel || channel.name === null) return "a deleted channel";
  return { name: channel.name, href: `/channels/${channel.id}` };
}

function unsent(entry: TimelineEntry): Part[] {
  return ["Did not notify", channelOf(entry), `of ${statusOf(entry)}`];
}

function causeOf({ cause }: TimelineEntry): Part[] {
  if (!cause) return ["a monitor that it depends on was down"];
  return [{ name: cause.monitor.name, href: `/outages/${cause.outageId}` }, "was down"];
}
