import { useHasRole } from "../app/session.tsx";
import type { Maintenance } from "../data/api.ts";
import { MaintenanceMark } from "../status/maintenance-label.tsx";
import { ListRow } from "../ui/list/list.tsx";
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
    <ListRow
      className="maintenance-row"
      state={
        <div className={`list-row-state maintenance-state maintenance-${state}`}>
          <MaintenanceMark size={16} />
          <span>
            <span className="status-text">{stateLabels[state]}</span>
            <Next maintenance={maintenance} />
          </span>
        </div>
      }
      title={title}
      href={mayWrite ? `/maintenances/${id}/edit` : undefined}
      details={
        <>
          <span className="list-row-note">{describeSelector(selector, monitors)}</span>
          <span className="list-row-note">{describeTimes(maintenance)}</span>
          {ref && <span className="list-row-note">Managed by a configuration file (ref {ref})</span>}
          {message && <span className="list-row-note maintenance-message">{message}</span>}
        </>
      }
    >
      {mayWrite && <MaintenanceActions maintenance={maintenance} />}
    </ListRow>
  );
}

/** The end of the open window, or the start of the next one. */
function Next({ maintenance: { state, nextStartsAt, nextEndsAt } }: Pick<Props, "maintenance">) {
  if (state === "ended" || nextStartsAt === null || nextEndsAt === null) return null;
  return (
    <span className="list-row-since">
      {state === "active" ? "until " : "next "}
      <Time at={state === "active" ? nextEndsAt : nextStartsAt} only="minute" />
    </span>
  );
}
