import { Link } from "wouter";
import { Time, useClock } from "../ui/time.tsx";

interface Props {
  /** The window that a monitor is in; null if it is in none. */
  maintenance: { title: string; endsAt: string } | null;
  /** Whether its title is shown, and not only a tooltip. */
  hasTitle?: boolean;
}

/** Until when a monitor is in maintenance (behavior 14.97). Nothing if it is not, also if the window has ended since. */
export function MaintenanceLabel({ maintenance, hasTitle = false }: Props) {
  const endsAt = maintenance === null ? 0 : Date.parse(maintenance.endsAt);
  const isOpen = useClock((now) => now < endsAt);
  if (!maintenance || !isOpen) return null;
  return (
    <span className="maintenance-label" title={maintenance.title}>
      <MaintenanceMark />
      <span>
        In maintenance until <Time at={maintenance.endsAt} only="minute" />
        {hasTitle && (
          <>
            : <Link href="/maintenances">{maintenance.title}</Link>
          </>
        )}
      </span>
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
  const { by, note } = acknowledgement;
  return (
    <span className="acknowledged-label" title={note ?? undefined}>
      <AcknowledgedMark />
      <span>
        Acknowledged by {by}
        {note && `: ${note}`}
      </span>
    </span>
  );
}

/** An eye. A label is always beside it. */
export function AcknowledgedMark({ size = 14 }: { size?: number }) {
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
      Not checked since <Time at={since} />
    </span>
  );
}
