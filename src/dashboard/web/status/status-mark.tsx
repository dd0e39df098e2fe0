import type { ReactNode } from "react";
import { Link } from "wouter";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Standing } from "../../../domain/monitors/standing.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Time, useClock } from "../ui/time.tsx";

interface Props {
  state: DisplayState;
  label: string;
  /** Since when, or for how long. */
  children?: ReactNode;
}

/** The state of an item of a list. */
export function RowState({ state, label, children }: Props) {
  return (
    <div className="list-row-state">
      <StatusMark state={state} />
      <span>
        <span className={`status-text state-${state}`}>{label}</span>
        {children && <span className="list-row-since">{children}</span>}
      </span>
    </div>
  );
}

/** A status in a table: its mark and its label. */
export function StatusCell({ state, status }: { state: DisplayState; status: Status }) {
  return (
    <span className="status-cell">
      <StatusMark state={state} size={13} />
      {texts.status.label[status]}
    </span>
  );
}

/** Functions, because a shared element would keep every page that once had it in memory. */
const shapes: Record<DisplayState, () => React.ReactNode> = {
  healthy: () => (
    <>
      <circle cx="8" cy="8" r="7" className="status-mark-fill" />
      <path d="m4.8 8.2 2.2 2.2 4.2-4.6" className="status-mark-cut" />
    </>
  ),
  warning: () => (
    <>
      <path d="M8 1.2 15.2 14.4H.8z" className="status-mark-fill" strokeLinejoin="round" />
      <path d="M8 6v3.6M8 12v.2" className="status-mark-cut" />
    </>
  ),
  down: () => (
    <>
      <path d="M4.9.8h6.2l4.1 4.1v6.2l-4.1 4.1H4.9L.8 11.1V4.9z" className="status-mark-fill" />
      <path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" className="status-mark-cut" />
    </>
  ),
  waiting: () => <circle cx="8" cy="8" r="6.2" className="status-mark-line" strokeDasharray="2.6 2.3" />,
  paused: () => (
    <>
      <circle cx="8" cy="8" r="6.6" className="status-mark-line" />
      <path d="M6.2 5.6v4.8M9.8 5.6v4.8" className="status-mark-line" />
    </>
  ),
};

/** A different shape for each state, so that color is not the only sign. A label is always beside it. */
export function StatusMark({ state, size = 16 }: { state: DisplayState; size?: number }) {
  return (
    <svg
      className={`status-mark state-${state}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {shapes[state]()}
    </svg>
  );
}

/** The mark of a standing: a wrench for a maintenance, and an eye if somebody has acknowledged the outage. */
export function StandingMark({ standing, size = 16 }: { standing: Standing; size?: number }) {
  if (standing === "maintenance") return <MaintenanceMark size={size} />;
  if (standing === "acknowledged") return <AcknowledgedMark size={size} />;
  return <StatusMark state={standing} size={size} />;
}

/** The current status of a monitor for the page (behavior 1.6). */
export function monitorStatusLabel({ status, enabled }: { status: Status; enabled: boolean }): string {
  return enabled ? texts.status.label[status] : texts.status.standing.paused;
}

interface MaintenanceLabelProps {
  /** The window that a monitor is in; null if it is in none. */
  maintenance: { title: string; endsAt: string } | null;
  /** Whether its title is shown, and not only a tooltip. */
  hasTitle?: boolean;
}

/** Until when a monitor is in maintenance (behavior 14.97). Nothing if it is not, also if the window has ended since. */
export function MaintenanceLabel({ maintenance, hasTitle = false }: MaintenanceLabelProps) {
  const endsAt = maintenance === null ? 0 : Date.parse(maintenance.endsAt);
  const isOpen = useClock((now) => now < endsAt);
  if (!maintenance || !isOpen) return null;
  const { until, untilWithTitle } = texts.status.maintenance;
  const time = <Time at={maintenance.endsAt} only="minute" />;
  const title = <Link href="/maintenances">{maintenance.title}</Link>;
  return (
    <span className="maintenance-label" title={maintenance.title}>
      <MaintenanceMark />
      <span>{hasTitle ? rich(untilWithTitle, { time, title }) : rich(until, { time })}</span>
    </span>
  );
}

/** A wrench. A label is always beside it. */
export function MaintenanceMark({ size = 14 }: { size?: number }) {
  return (
    <svg className="maintenance-mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d="M14.6 4.2 12 6.8 9.2 4l2.6-2.6A4.4 4.4 0 0 0 6.1 7L1.2 11.9a1.6 1.6 0 0 0 0 2.3l.6.6a1.6 1.6 0 0 0 2.3 0L9 9.9a4.4 4.4 0 0 0 5.6-5.7z" />
    </svg>
  );
}

/** Who has acknowledged the open outage of a monitor, and the note. Nothing if nobody has. */
export function AcknowledgedLabel({
  acknowledgement,
}: {
  acknowledgement: { by: string; note: string | null } | null;
}) {
  if (!acknowledgement) return null;
  const { by: name, note } = acknowledgement;
  const { by, byWithNote } = texts.status.acknowledged;
  return (
    <span className="acknowledged-label" title={note ?? undefined}>
      <AcknowledgedMark />
      <span>{note ? fill(byWithNote, { name, note }) : fill(by, { name })}</span>
    </span>
  );
}

/** An eye. A label is always beside it. */
function AcknowledgedMark({ size = 14 }: { size?: number }) {
  return (
    <svg className="acknowledged-mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d="M.8 8S3.4 3.2 8 3.2 15.2 8 15.2 8 12.6 12.8 8 12.8.8 8 .8 8z" />
      <circle cx="8" cy="8" r="2.2" />
    </svg>
  );
}

/** Since when no check has said anything about a monitor (behavior 1.58). Nothing if it is not blind. */
export function NotChecked({ since }: { since: string | null }) {
  if (since === null) return null;
  return (
    <span className="monitor-row-reason state-warning">
      {rich(texts.status.notChecked, { time: <Time at={since} /> })}
    </span>
  );
}
