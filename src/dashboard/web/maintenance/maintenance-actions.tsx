import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, getData, type Maintenance } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { changedByMaintenance, queryKeys } from "../data/query-keys.ts";
import { Confirm } from "../ui/dialog/dialog.tsx";

export function MaintenanceActions({ maintenance: { id, title, state } }: { maintenance: Maintenance }) {
  const [open, setOpen] = useState<"end" | "delete" | null>(null);
  const queries = useQueryClient();
  const close = () => setOpen(null);
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
        <button type="button" aria-label={`End now: ${title}`} onClick={() => setOpen("end")}>
          End now
        </button>
      )}
      <Link className="button" href={`/maintenances/${id}/edit`} aria-label={`Edit ${title}`}>
        Edit
      </Link>
      <button
        type="button"
        className="button-danger-quiet"
        aria-label={`Delete ${title}`}
        onClick={() => setOpen("delete")}
      >
        Delete
      </button>
      {open === "end" && (
        <Confirm title={<Quoted verb="End" title={title} />} action="End now" onConfirm={end} onClose={close}>
          <p>Trouble that lasts, and was not notified before, is notified now. Later windows stay.</p>
        </Confirm>
      )}
      {open === "delete" && (
        <Confirm
          title={<Quoted verb="Delete" title={title} />}
          action="Delete"
          onConfirm={remove}
          onClose={close}
        >
          <p>
            {state === "active" && "It ends now. "}
            It has no further windows. You cannot undo this.
          </p>
        </Confirm>
      )}
    </div>
  );
}

function Quoted({ verb, title }: { verb: string; title: string }) {
  return (
    <>
      {verb} “<bdi>{title}</bdi>”?
    </>
  );
}
