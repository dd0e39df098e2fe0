import { formatDuration } from "../../../domain/duration.ts";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { TimeSince } from "../ui/time.tsx";

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
export function Note({ text }: { text: string }) {
  return <blockquote className="outage-note">{text}</blockquote>;
}
