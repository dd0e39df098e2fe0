import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getAnswer, type Outage } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { monitorTypeLabels } from "../monitor/monitor-types.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { Badge } from "../ui/badge.tsx";
import { Failure } from "../ui/failure.tsx";
import { usePages } from "../ui/table/paged-table.tsx";
import { TimeSince } from "../ui/time/time.tsx";
import { acknowledge, takeBack } from "./outage-queries.ts";
import { describeReason } from "./outage-reason.ts";
import { useAction } from "./use-action.ts";

/** The outages that continue, latest first. @property monitorId empty for all monitors */
export function OpenOutages({ monitorId }: { monitorId: string }) {
  const filters = { open: "true", ...(monitorId && { monitorId }) } as const;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages<Outage>({
    queryKey: queryKeys.outages(filters),
    load: (query) => getAnswer(api.outages.get({ query: { limit: "50", ...filters, ...query } })),
  });
  const outages = data?.pages.flatMap((page) => page.data);
  return (
    <section className="outages-open" aria-labelledby="open">
      <h2 id="open">Open</h2>
      <Failure error={error} />
      {outages?.length === 0 && <p className="view-empty">No open outages.</p>}
      <ul className="list">
        {outages?.map((outage) => (
          <OutageRow key={outage.id} outage={outage} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older open outages
        </button>
      )}
    </section>
  );
}

function OutageRow({ outage }: { outage: Outage }) {
  const { id, monitor, status, reason, startedAt } = outage;
  const state = displayStateOfStatus(status);
  const mayWrite = useHasRole("admin");
  const cause = describeReason(reason);
  return (
    <li className="list-row outage-row">
      <div className="outage-row-status">
        <StatusMark state={state} />
        <span>
          <span className={`status-text state-${state}`}>{statusLabel(status)}</span>
          <span className="outage-row-since">
            for <TimeSince at={startedAt} short />
          </span>
        </span>
      </div>
      <div className="list-row-name">
        <Link href={`/outages/${id}`}>{monitor.name}</Link>
        <span className="list-row-detail">
          <Badge>{monitorTypeLabels[monitor.type].name}</Badge> {cause}
        </span>
        <AcknowledgedBy outage={outage} />
      </div>
      {mayWrite && <AcknowledgeToggle outage={outage} />}
    </li>
  );
}

function AcknowledgedBy({ outage: { acknowledgedBy, note } }: { outage: Outage }) {
  if (acknowledgedBy === null) return null;
  return (
    <span className="outage-row-acknowledged">
      Acknowledged by {acknowledgedBy}
      {note && <>: {note}</>}
    </span>
  );
}

/** One button for both actions, so that it keeps the focus. */
function AcknowledgeToggle({ outage: { id, monitor, acknowledgedAt } }: { outage: Outage }) {
  const queries = useQueryClient();
  const { error, busy, run } = useAction();
  const isAcknowledged = acknowledgedAt !== null;
  const label = isAcknowledged
    ? `Take back the acknowledgement of ${monitor.name}`
    : `Acknowledge the outage of ${monitor.name}`;
  return (
    <div className="outage-row-action">
      <button
        type="button"
        className={isAcknowledged ? "button-quiet" : ""}
        aria-label={label}
        aria-disabled={busy}
        onClick={() => run(() => (isAcknowledged ? takeBack(queries, id) : acknowledge(queries, id)))}
      >
        {isAcknowledged ? "Take back" : "Acknowledge"}
      </button>
      <Failure error={error} />
    </div>
  );
}
