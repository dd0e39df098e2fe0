import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Report } from "../data/api.ts";
import { describeDetail } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-cell.tsx";
import { ScrollableTable } from "../ui/table/table.tsx";
import { Time, TimeSince } from "../ui/time/time.tsx";

/** The latest outages of a monitor. @property id of the monitor */
export function Outages({ id, outages }: { id: string; outages: Report["outages"] }) {
  return (
    <section className="card" aria-labelledby="outages">
      <div className="card-head">
        <h2 id="outages">Outages in 90 days</h2>
        <Link href={`/outages?monitor=${id}`}>All outages</Link>
      </div>
      {outages.length === 0 ? (
        <p className="text-muted">None.</p>
      ) : (
        <ScrollableTable of="outages" columns={["Start", "Duration", "Status", "Reason"]}>
          {outages.map(({ id, start, end, status, detail }) => (
            <tr key={id}>
              <td>
                <Link href={`/outages/${id}`}>
                  <Time at={start} />
                </Link>
              </td>
              <td>{end ? formatDuration(Date.parse(end) - Date.parse(start)) : <Ongoing since={start} />}</td>
              <td>
                <StatusCell state={displayStateOfStatus(status)} status={status} />
              </td>
              <td className="table-long table-detail">{describeDetail(detail) || "–"}</td>
            </tr>
          ))}
        </ScrollableTable>
      )}
    </section>
  );
}

function Ongoing({ since }: { since: string }) {
  return (
    <>
      <TimeSince at={since} /> so far
    </>
  );
}
