import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Report } from "../data/api.ts";
import { reasonWords } from "../status/result-detail.ts";
import { StatusWord } from "../status/status-label.tsx";
import { durationWords } from "../ui/duration.ts";
import { TableBox } from "../ui/table.tsx";
import { Distance, Moment } from "../ui/time.tsx";

export function Outages({ outages }: { outages: Report["outages"] }) {
  return (
    <section className="card" aria-labelledby="outages">
      <h2 id="outages">Outages in 90 days</h2>
      {outages.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <TableBox of="outages" columns={["Began", "Length", "Status", "Why"]}>
          {outages.map(({ start, end, status, detail }) => (
            <tr key={start}>
              <td>
                <Moment at={start} />
              </td>
              <td>{end ? durationWords(Date.parse(end) - Date.parse(start)) : <Ongoing since={start} />}</td>
              <td>
                <StatusWord mood={displayStateOfStatus(status)} status={status} />
              </td>
              <td className="long told">{reasonWords(detail) || "–"}</td>
            </tr>
          ))}
        </TableBox>
      )}
    </section>
  );
}

function Ongoing({ since }: { since: string }) {
  return (
    <>
      <Distance to={since} /> so far
    </>
  );
}
