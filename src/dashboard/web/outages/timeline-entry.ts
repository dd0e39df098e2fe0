import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { TimelineEntry } from "../data/api.ts";

/** How an entry is marked: by the state that it reports, or as something that people or this service did. */
type Tone = "down" | "warning" | "healthy" | "waiting" | "sent" | "unsent" | "failed" | "person";

/** A part of a sentence. */
export type Part = string | { name: string; href: string };

interface EntryContent {
  tone: Tone;
  /** A sentence without its period, between whose parts are spaces. */
  parts: Part[];
}

/** What an entry of a timeline says. */
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
