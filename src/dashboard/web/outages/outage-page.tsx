import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Link } from "wouter";
import { type DisplayState, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Outage, TimelineEntry } from "../data/api.ts";
import { PublicOutage } from "../incidents/public-outage.tsx";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { AcceptChange, FollowRedirects } from "../monitors/confirmation-fields.tsx";
import { describeCause } from "../status/result-detail.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { formatDuration } from "../ui/durations.ts";
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
    return <View title={texts.outages.one.title} error={error} back={{ href: "/outages", to: "outages" }} />;
  const { monitor, status, reason, startedAt, endedAt, acknowledgedAt } = data;
  const cause = describeCause(report.data ? report.data.detail : { reason });
  const all = (
    <Link className="button" href={`/outages?monitor=${monitor.id}`}>
      {texts.outages.one.allOfMonitor}
    </Link>
  );
  return (
    <View title={fill(texts.outages.one.titleOf, { monitor: monitor.name })} aside={all}>
      <OutageState
        state={endedAt === null ? displayStateOfStatus(status) : "healthy"}
        label={endedAt === null ? texts.status.label[status] : texts.outages.one.ended}
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
  const words = texts.outages.facts;
  return (
    <section className="card" aria-label={words.label}>
      <dl className="facts">
        <Fact name={words.monitor}>
          <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
        </Fact>
        <Fact name={words.worstStatus}>{texts.status.label[status]}</Fact>
        <Fact name={words.cause}>{cause || "–"}</Fact>
        <Fact name={words.started}>
          <Time at={startedAt} />
        </Fact>
        <Fact name={words.ended}>{endedAt ? <Time at={endedAt} /> : words.stillOpen}</Fact>
        {downSince && downSince !== startedAt && (
          <Fact name={words.down}>
            {rich(words.downValue, {
              duration: formatDuration(downSeconds * 1000),
              time: <Time at={downSince} />,
            })}
          </Fact>
        )}
        {maintenanceId && (
          <Fact name={words.maintenance}>
            <Link href="/maintenances">{words.inWindow}</Link>
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
    <Card id="acknowledgement" title={texts.outages.acknowledgement.title}>
      <p role="status">
        <AcknowledgementState outage={outage} />
      </p>
      {mayWrite ? <AcknowledgementForm outage={outage} /> : outage.note && <Note text={outage.note} />}
    </Card>
  );
}

function AcknowledgementState({ outage: { acknowledgedAt, acknowledgedBy } }: { outage: Outage }) {
  const { none, by } = texts.outages.acknowledgement;
  if (acknowledgedAt === null) return none;
  return rich(by, { name: <b dir="auto">{acknowledgedBy}</b>, time: <Time at={acknowledgedAt} /> });
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
        <label htmlFor={field}>{texts.outages.acknowledgement.note}</label>
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
          {isAcknowledged ? texts.outages.acknowledgement.save : texts.outages.acknowledge.button}
        </button>
        {isAcknowledged && (
          <button type="button" className="button-quiet" aria-disabled={busy} onClick={undo}>
            {texts.outages.acknowledge.takeBack}
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
    <Card id="timeline" title={texts.outages.timeline.title}>
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
  const { tone, text, parts } = describeEntry(entry);
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
          {rich<string>(
            text,
            Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, nodeOf(part)])),
          )}
        </p>
        {quote && <Note text={quote} />}
      </div>
    </li>
  );
}

function nodeOf(part: Part): ReactNode {
  return typeof part === "string" ? part : <Link href={part.href}>{part.name}</Link>;
}

/** How an entry is marked: by the state that it reports, or as something that people or this service did. */
type Tone = "down" | "warning" | "healthy" | "waiting" | "sent" | "unsent" | "failed" | "person";

/** A value of a sentence. */
type Part = string | { name: string; href: string };

/** @property text a sentence without its period, with places for the parts */
interface EntryContent {
  tone: Tone;
  text: string;
  parts: Record<string, Part>;
}

/** The words of an entry of a timeline. */
export function describeEntry(entry: TimelineEntry): EntryContent {
  const words = texts.outages.timeline;
  const { kind, by, cause, why } = entry;
  const sent = { channel: channelOf(entry), status: statusOf(entry) };
  switch (kind) {
    case "ended":
      return { tone: "waiting", text: words.ended, parts: {} };
    case "acknowledged":
      return by === undefined
        ? { tone: "person", text: words.acknowledgedByDeleted, parts: {} }
        : { tone: "person", text: words.acknowledged, parts: { name: by } };
    case "notified":
    case "reminded":
      return { tone: "sent", text: words[kind], parts: sent };
    case "failed":
      return { tone: "failed", text: words.failed, parts: sent };
    case "withdrawn":
      return { tone: "unsent", text: why ? words.withdrawnWhy[why] : words.withdrawn, parts: sent };
    case "muted":
      if (!cause) return { tone: "unsent", text: words.mutedByDeleted, parts: sent };
      return {
        ...{ tone: "unsent", text: words.muted },
        parts: { ...sent, monitor: { name: cause.monitor.name, href: `/outages/${cause.outageId}` } },
      };
    default:
      return {
        tone: entry.status ? toneOf(entry.status) : "waiting",
        text: words[kind],
        parts: { status: sent.status },
      };
  }
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
  if (!channel || channel.name === null) return texts.outages.timeline.deletedChannel;
  return { name: channel.name, href: `/channels/${channel.id}` };
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
  if (endedAt !== null) {
    const duration = formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
    return fill(texts.outages.lasted, { duration });
  }
  return rich(texts.outages.lasting, { duration: <TimeSince at={startedAt} short={short} /> });
}

/** The note of an acknowledgement, or of an incident. */
function Note({ text }: { text: string }) {
  return <blockquote className="outage-note">{text}</blockquote>;
}
