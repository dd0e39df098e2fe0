import { useQuery } from "@tanstack/react-query";
import { type FormEvent, Fragment, useId, useState } from "react";
import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { type DisplayState, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Outage, TimelineEntry } from "../data/api.ts";
import { PublicOutage } from "../incidents/public-outage.tsx";
import { texts } from "../languages/texts.ts";
import { AcceptChange, FollowRedirects } from "../monitors/confirmation-fields.tsx";
import { describeCause } from "../status/result-detail.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { CauseOfOutage } from "./causes/causes.tsx";
import { OutageEvidence, outageEvidenceQuery, WhyWords } from "./evidence/evidence-card.tsx";
import { OutageChecks } from "./outage-checks.tsx";
import {
  outageQuery,
  outageReportQuery,
  timelineQuery,
  useAcknowledgement,
  useMayAcknowledge,
} from "./outages.tsx";

export function OutagePage({ id }: { id: string }) {
  const { data, error } = useQuery(outageQuery(id));
  const report = useQuery(outageReportQuery(id, data?.endedAt));
  const evidence = useQuery({ ...outageEvidenceQuery(id, data?.endedAt === null), enabled: isProbed(data) });
  // All of it at once, so that nothing moves.
  if (!data || report.isPending || evidence.isLoading)
    return <View title="Outage" error={error} back={{ href: "/outages", to: "outages" }} />;
  const { monitor, status, reason, startedAt, endedAt, acknowledgedAt } = data;
  const cause = describeCause(report.data ? report.data.detail : { reason });
  const all = (
    <Link className="button" href={`/outages?monitor=${monitor.id}`}>
      All outages of this monitor
    </Link>
  );
  return (
    <View title={`Outage of ${monitor.name}`} aside={all}>
      <OutageState
        state={endedAt === null ? displayStateOfStatus(status) : "healthy"}
        label={endedAt === null ? texts.status.label[status] : "Ended"}
        startedAt={startedAt}
        endedAt={endedAt}
      />
      <Why outage={data} cause={cause} />
      {data.cause && <CauseOfOutage cause={data.cause} />}
      {endedAt === null && acknowledgedAt === null && <AcceptChange detail={report.data?.detail} />}
      {endedAt === null && <FollowRedirects id={monitor.id} detail={report.data?.detail} />}
      <OutageFacts outage={data} cause={cause} />
      {isProbed(data) && <OutageEvidence outage={data} />}
      <Failure error={report.error} />
      {report.data && <OutageChecks outage={data} report={report.data} cause={cause} />}
      <Acknowledgement outage={data} />
      <PublicOutage outage={data} />
      <Timeline outage={data} cause={cause} />
    </View>
  );
}

/** The evidence of a job is its run. */
function isProbed(outage: Outage | undefined): outage is Outage {
  return outage !== undefined && outage.monitor.type !== "SCHEDULED";
}

/** Why it failed, in one sentence: until the layer is known, what the first check saw. */
function Why({ outage, cause }: { outage: Outage; cause: string }) {
  const { why } = outage;
  if (!isProbed(outage) || (!why && !cause)) return null;
  return (
    <p className="why">
      {/* With a label in both cases, so that nothing moves if the layer becomes known later. */}
      <WhyWords why={why ?? { layer: "unknown", summary: cause }} />
    </p>
  );
}

function OutageFacts({ outage, cause }: { outage: Outage; cause: string }) {
  const { monitor, status, startedAt, endedAt, maintenanceId, downSince, downSeconds } = outage;
  return (
    <section className="card" aria-label="Facts">
      <dl className="facts">
        <Fact name="Monitor">
          <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
        </Fact>
        <Fact name="Worst status">{texts.status.label[status]}</Fact>
        <Fact name="Cause">{cause || "–"}</Fact>
        <Fact name="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact name="Ended">{endedAt ? <Time at={endedAt} /> : "Still open"}</Fact>
        {downSince && downSince !== startedAt && (
          <Fact name="Down">
            {formatDuration(downSeconds * 1000)} in all, first at <Time at={downSince} />
          </Fact>
        )}
        {maintenanceId && (
          <Fact name="Maintenance">
            <Link href="/maintenances">Began in a window</Link>
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** The limit of the API. */
const MAX_NOTE = 500;

/** Who acknowledged an outage, and what the reader can do about it while it continues. */
export function Acknowledgement({ outage }: { outage: Outage }) {
  const mayWrite = useMayAcknowledge() && outage.endedAt === null;
  if (!mayWrite && outage.acknowledgedAt === null) return null;
  return (
    <Card id="acknowledgement" title="Acknowledgement">
      <p role="status">
        <AcknowledgementState outage={outage} />
      </p>
      {mayWrite ? <AcknowledgementForm outage={outage} /> : outage.note && <Note text={outage.note} />}
    </Card>
  );
}

function AcknowledgementState({ outage: { acknowledgedAt, acknowledgedBy } }: { outage: Outage }) {
  if (acknowledgedAt === null)
    return "Not acknowledged. An acknowledgement stops reminders, and notifications that have not been sent yet.";
  return (
    <>
      Acknowledged by <b>{acknowledgedBy}</b> at <Time at={acknowledgedAt} />.
    </>
  );
}

/** The field keeps what the reader types while the outage changes. */
function AcknowledgementForm({ outage }: { outage: Outage }) {
  const { id, acknowledgedAt, note } = outage;
  const { acknowledge, takeBack } = useAcknowledgement(id);
  const field = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const { error, busy, run } = useAction();
  const isAcknowledged = acknowledgedAt !== null;
  const text = draft ?? note ?? "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await acknowledge(text.trim());
      setDraft(null);
    });
  };
  const undo = () =>
    run(async () => {
      await takeBack();
      setDraft(null);
    });
  return (
    <form className="outage-acknowledge" onSubmit={submit}>
      <div className="field">
        <label htmlFor={field}>Note (optional)</label>
        <textarea
          id={field}
          className="outage-note-field"
          rows={2}
          value={text}
          maxLength={MAX_NOTE}
          autoComplete="off"
          onChange={({ target }) => setDraft(target.value)}
        />
      </div>
      <Failure error={error} />
      <div className="actions">
        <button type="submit" className={isAcknowledged ? "" : "button-primary"} aria-disabled={busy}>
          {isAcknowledged ? "Save note" : "Acknowledge"}
        </button>
        {isAcknowledged && (
          <button type="button" className="button-quiet" aria-disabled={busy} onClick={undo}>
            Take back
          </button>
        )}
      </div>
    </form>
  );
}

/** The events of an outage, oldest first. @property cause what its first check saw; empty if that is not known */
function Timeline({ outage, cause }: { outage: Outage; cause: string }) {
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
  hours: "it was outside the hours of the channel",
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
  return texts.status.label[status ?? "unknown"];
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

interface Span {
  startedAt: string;
  /** Null while it continues. */
  endedAt: string | null;
}

/** The state of an outage or an incident, above its facts. */
export function OutageState({ state, label, ...span }: Span & { state: DisplayState; label: string }) {
  return (
    <p className="outage-state" role="status">
      <StatusMark state={state} size={22} />
      <span className={`status-text state-${state}`}>{label}</span>{" "}
      <span className="text-muted">
        <Lasting {...span} />
      </span>
    </p>
  );
}

/** How long an outage or an incident lasts, or lasted. */
export function Lasting({ startedAt, endedAt, short = false }: Span & { short?: boolean }) {
  if (endedAt !== null) return `after ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return (
    <>
      for <TimeSince at={startedAt} short={short} />
    </>
  );
}

/** The note of an acknowledgement, or of an incident. */
function Note({ text }: { text: string }) {
  return <blockquote className="outage-note">{text}</blockquote>;
}
