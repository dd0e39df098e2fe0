import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, getData, type Maintenance } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { changedByMaintenance, queryKeys } from "../data/query-keys.ts";
import { DeleteButton } from "../ui/dialog/delete-button.tsx";
import { Confirm } from "../ui/dialog/dialog.tsx";

export function MaintenanceActions({ maintenance: { id, title, state } }: { maintenance: Maintenance }) {
  const [ending, setEnding] = useState(false);
  const queries = useQueryClient();
  const end = async () => {
    await getData(api.maintenances({ id }).end.post());
    await invalidate(queries, changedByMaintenance);
  };
  const remove = async () => {
    await getData(api.maintenances({ id }).delete());
    queries.removeQueries({ queryKey: queryKeys.maintenance(id) });
    await invalidate(queries, changedByMaintenance);
  };
  return (
    <div className="actions">
      {state === "active" && (
        <button type="button" aria-label={`End now: ${title}`} onClick={() => setEnding(true)}>
          End now
        </button>
      )}
      <Link className="button" href={`/maintenances/${id}/edit`} aria-label={`Edit ${title}`}>
        Edit
      </Link>
      <DeleteButton name={title} label={`Delete ${title}`} onDelete={remove}>
        {state === "active" && "It ends now. "}
        It has no further windows. You cannot undo this.
      </DeleteButton>
      {ending && (
        <Confirm
          title={
            <>
              End “<bdi>{title}</bdi>”?
            </>
          }
          action="End now"
          onConfirm={end}
          onClose={() => setEnding(false)}
        >
          <p>Trouble that lasts, and was not notified before, is notified now. Later windows stay.</p>
        </Confirm>
      )}
    </div>
  );
}
