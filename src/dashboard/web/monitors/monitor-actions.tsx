import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { api, type Monitor } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Failure, useAction } from "../ui/failure.tsx";
import { ItemActions } from "../ui/item-actions.tsx";
import { recentResultsQuery } from "./monitor-queries.ts";

export function MonitorActions({ monitor: { id, name, enabled, type } }: { monitor: Monitor }) {
  const [, navigate] = useLocation();
  const { overview, allHistories, allMonitors, allReports } = queryKeys;
  const change = useChange(overview, allHistories, allMonitors, allReports);
  const deletion = useChange(overview);
  const toggle = () => change(api.monitors({ id }).patch({ enabled: !enabled }));
  const remove = async () => {
    await deletion(api.monitors({ id }).delete(), queryKeys.monitor(id));
    navigate("/");
  };
  // The form replaces this view in the browser's history, and the saved monitor replaces the form: Back skips both.
  const edit = (
    <>
      <Link className="button" replace href={`/monitors/${id}/edit`}>
        Edit
      </Link>
      <Link className="button" href={`/monitors/new?from=${id}`}>
        Duplicate
      </Link>
    </>
  );
  return (
    <div className="actions monitor-actions">
      {enabled && type !== "SCHEDULED" && <CheckButton id={id} />}
      <ItemActions
        name={name}
        toggle={enabled ? "Pause" : "Resume"}
        onToggle={toggle}
        edit={edit}
        onDelete={remove}
      >
        All its results, its history and its uptime are deleted, and its pending notifications are not sent.
        You cannot undo this.
      </ItemActions>
    </div>
  );
}

/** Milliseconds after which the button can be used again, also without a result: a location may not be connected. */
const PATIENCE = 30_000;

/** Checks the monitor now. Its result comes as any other, by the live updates. */
function CheckButton({ id }: { id: string }) {
  const { error, busy, run } = useAction();
  const latest = useQuery(recentResultsQuery(id)).data?.[0]?.id;
  /** The latest result when the reader asked. */
  const [before, setBefore] = useState<{ latest: string | undefined } | null>(null);
  useEffect(() => {
    if (!before) return undefined;
    const timer = setTimeout(() => setBefore(null), PATIENCE);
    return () => clearTimeout(timer);
  }, [before]);
  const change = useChange();
  const isChecking = busy || (before !== null && before.latest === latest);
  const check = async () => {
    await change(api.monitors({ id }).check.post());
    setBefore({ latest });
  };
  return (
    <>
      <Failure error={error} />
      <button type="button" aria-disabled={isChecking} onClick={() => !isChecking && run(check)}>
        {isChecking ? "Checking…" : "Check now"}
      </button>
    </>
  );
}
