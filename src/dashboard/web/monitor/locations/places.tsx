import { displayStateOfStatus } from "../../../../domain/monitors/display-state.ts";
import type { Place } from "../../data/api.ts";
import { conditionOf } from "../../location/conditions.ts";
import { locationLabel } from "../../location/location-label.ts";
import { describeDetail } from "../../status/result-detail.ts";
import { StatusCell } from "../../status/status-cell.tsx";
import { StatusMark } from "../../status/status-mark.tsx";
import { latencyOrDash } from "../../ui/numbers.ts";
import { ScrollableTable } from "../../ui/table/table.tsx";
import { TimeSince } from "../../ui/time/time.tsx";

/** What each location of a monitor sees (behavior 13.67). */
export function Places({ places }: { places: Place[] }) {
  return (
    <section className="card" aria-labelledby="places">
      <h2 id="places">Locations</h2>
      <ScrollableTable
        of="locations"
        columns={["Location", "State", "Sees", { number: "Latency" }, "Checked", "Detail"]}
      >
        {places.map((place) => (
          <PlaceRow key={place.id} place={place} />
        ))}
      </ScrollableTable>
    </section>
  );
}

function PlaceRow({ place }: { place: Place }) {
  const { latest } = place;
  const { label, mark, effect } = conditionOf(place);
  return (
    <tr>
      <td className="table-long">{locationLabel(place.name)}</td>
      <td title={effect}>
        <span className="status-cell">
          <StatusMark state={mark} size={13} />
          {label}
        </span>
      </td>
      <td>
        {latest ? <StatusCell state={displayStateOfStatus(latest.status)} status={latest.status} /> : "–"}
      </td>
      <td className="table-number">{latencyOrDash(latest?.latencyMs)}</td>
      <td>
        {latest ? (
          <>
            <TimeSince at={latest.at} short /> ago
          </>
        ) : (
          "never"
        )}
      </td>
      <td className="table-long table-detail">{latest ? describeDetail({ ...latest }) : ""}</td>
    </tr>
  );
}
