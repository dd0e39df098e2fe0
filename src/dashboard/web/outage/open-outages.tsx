import { useQueryClient } from "@tanstack/react-query";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getAnswer, type Outage } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { monitorTypeLabels } from "../monitor/monitor-types.ts";
import { RowState } from "../status/row-state.tsx";
import { Badge } from "../ui/badge.tsx";
import { Failure } from "../ui/failure.tsx";
import { List, ListRow } from "../ui/list/list.tsx";
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
      <List
        items={outages}
        none="No open outages."
        row={(outage) => <OutageRow key={outage.id} outage={outage} />}
      />
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
  const mayWrite = useHasRole("admin");
  return (
    <ListRow
      state={
        <RowState state={displayStateOfStatus(status)} label={statusLabel(status)}>
          for <TimeSince at={startedAt} short />
        </RowState>
      }
      title={monitor.name}
      href={`/outages/${id}`}
      details={
        <>
          <span className="list-row-detail">
            <Badge>{monitorTypeLabels[monitor.type].name}</Badge> {describeReason(reason)}
          </span>
          <AcknowledgedBy outage={outage} />
        </>
      }
    >
      {mayWrite && <AcknowledgeToggle outage={outage} />}
    </ListRow>
  );
}

function AcknowledgedBy({ outage: { acknowledgedBy, note } }: { outage: Outage }) {
  if (acknowledgedBy === null) return null;
  return (
    <span className="list-row-note outage-row-acknowledged">
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
    <div className="list-row-action">
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
