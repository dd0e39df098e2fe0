import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Maintenance } from "../data/api.ts";
import { MaintenanceMark } from "../status/maintenance-label.tsx";
import { Time } from "../ui/time/time.tsx";
import { MaintenanceActions } from "./maintenance-actions.tsx";
import { describeSelector, describeTimes, stateLabels } from "./maintenance-words.ts";

interface Props {
  maintenance: Maintenance;
  /** Those whose names are known. */
  monitors: readonly { id: string; name: string }[];
}

export function MaintenanceRow({ maintenance, monitors }: Props) {
  const { id, title, message, selector, state, ref } = maintenance;
  const mayWrite = useHasRole("admin");
  return (
    <li className="list-row maintenance-row">
      <div className={`maintenance-state maintenance-${state}`}>
        <MaintenanceMark size={16} />
        <span>
          <span className="status-text">{stateLabels[state]}</span>
          <Next maintenance={maintenance} />
        </span>
      </div>
      <div className="list-row-name">
        {mayWrite ? (
          <Link href={`/maintenances/${id}/edit`}>{title}</Link>
        ) : (
          <span className="list-row-title">{title}</span>
        )}
        <span className="maintenance-detail">{describeSelector(selector, monitors)}</span>
        <span className="maintenance-detail">{describeTimes(maintenance)}</span>
        {ref && <span className="maintenance-detail">Managed by a configuration file (ref {ref})</span>}
        {message && <span className="maintenance-detail maintenance-message">{message}</span>}
      </div>
      {mayWrite && <MaintenanceActions maintenance={maintenance} />}
    </li>
  );
}

/** The end of the open window, or the start of the next one. */
function Next({ maintenance: { state, nextStartsAt, nextEndsAt } }: Pick<Props, "maintenance">) {
  if (state === "ended" || nextStartsAt === null || nextEndsAt === null) return null;
  return (
    <span className="maintenance-next">
      {state === "active" ? "until " : "next "}
      <Time at={state === "active" ? nextEndsAt : nextStartsAt} only="minute" />
    </span>
  );
}
