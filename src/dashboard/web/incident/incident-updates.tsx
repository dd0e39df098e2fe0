import { INCIDENT_LABELS } from "../../../domain/pages/incident.ts";
import type { Incident } from "../data/api.ts";
import { Time } from "../ui/time/time.tsx";

const TONES = {
  investigating: "down",
  identified: "warning",
  monitoring: "sent",
  resolved: "healthy",
} as const;

/** The updates of an incident, the newest first, as they were written. */
export function IncidentUpdates({ updates }: Pick<Incident, "updates">) {
  return (
    <section className="card" aria-labelledby="updates">
      <h2 id="updates">Updates</h2>
      {updates.length === 0 && <p className="text-muted">No updates yet.</p>}
      <ol className="timeline">
        {updates.map(({ id, status, body, createdAt }) => (
          <li key={id} className={`timeline-entry timeline-${TONES[status]}`}>
            <p className="timeline-time">
              <Time at={createdAt} />
            </p>
            <div className="timeline-content">
              <p>
                <b>{INCIDENT_LABELS[status]}</b>
              </p>
              <p className="incident-body" dir="auto">
                {body}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
