import { useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, getData, type Monitor } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { queryKeys } from "../data/query-keys.ts";
import { ItemActions } from "../ui/dialog/item-actions.tsx";

export function MonitorActions({ monitor: { id, name, enabled } }: { monitor: Monitor }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const toggle = async () => {
    await getData(api.monitors({ id }).patch({ enabled: !enabled }));
    const { overview, allHistories, allMonitors, allReports } = queryKeys;
    await invalidate(queries, [overview, allHistories, allMonitors, allReports]);
  };
  const remove = async () => {
    await getData(api.monitors({ id }).delete());
    queries.removeQueries({ queryKey: queryKeys.monitor(id) });
    await invalidate(queries, [queryKeys.overview]);
    navigate("/");
  };
  // The form replaces this view in the browser's history, and the saved monitor replaces the form: Back skips both.
  const edit = (
    <Link className="button" replace href={`/monitors/${id}/edit`}>
      Edit
    </Link>
  );
  return (
    <ItemActions
      name={name}
      toggle={enabled ? "Pause" : "Resume"}
      onToggle={toggle}
      edit={edit}
      onDelete={remove}
    >
      All its results, its history and its uptime are deleted, and its pending notifications are not sent. You
      cannot undo this.
    </ItemActions>
  );
}
