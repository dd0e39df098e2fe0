import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { api, getAnswer, type Outage } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { StatusCell } from "../status/status-cell.tsx";
import { PagedTable, usePages } from "../ui/table/paged-table.tsx";
import { Time } from "../ui/time/time.tsx";
import { describeReason } from "./outage-reason.ts";

const COLUMNS = ["Start", "Duration", "Monitor", "Status", "Reason", "Acknowledged by"];

/** The outages that have ended, latest first. @property monitorId empty for all monitors */
export function EndedOutages({ monitorId }: { monitorId: string }) {
  const filters = { open: "false", ...(monitorId && { monitorId }) } as const;
  const pages = usePages<Outage>({
    queryKey: queryKeys.outages(filters),
    load: (query) => getAnswer(api.outages.get({ query: { limit: "50", ...filters, ...query } })),
  });
  return (
    <section className="card" aria-labelledby="ended">
      <h2 id="ended">Ended</h2>
      <PagedTable
        of="ended outages"
        pages={pages}
        columns={COLUMNS}
        row={(outage) => <EndedOutage key={outage.id} outage={outage} />}
        none="No ended outages."
      />
    </section>
  );
}

function EndedOutage({ outage }: { outage: Outage }) {
  const { id, monitor, status, reason, startedAt, endedAt, acknowledgedBy } = outage;
  return (
    <tr>
      <td>
        <Link href={`/outages/${id}`}>
          <Time at={startedAt} />
        </Link>
      </td>
      <td>{endedAt && formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}</td>
      <td className="table-long">
        <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
      </td>
      <td>
        <StatusCell state={displayStateOfStatus(status)} status={status} />
      </td>
      <td className="table-long table-detail">{describeReason(reason) || "–"}</td>
      <td className="table-long">{acknowledgedBy ?? "–"}</td>
    </tr>
  );
}
