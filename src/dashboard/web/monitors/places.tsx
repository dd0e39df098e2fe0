import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { levelOf, type Status } from "../../../domain/monitors/status.ts";
import type { Monitor, Place } from "../data/api.ts";
import { conditionOf } from "../locations/conditions.ts";
import { locationLabel } from "../locations/location-label.ts";
import { describeDetail } from "../status/result-detail.ts";
import { StatusCell, StatusMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { formatCount, latencyOrDash } from "../ui/numbers.ts";
import { ScrollableTable } from "../ui/table.tsx";
import { TimeSince } from "../ui/time.tsx";

/** The latest check from each location of a monitor (behavior 13.67). */
export function Places({ places }: { places: Place[] }) {
  return (
    <Card id="places" title="Locations">
      <ScrollableTable
        of="locations"
        columns={["Location", "State", "Sees", { number: "Latency" }, "Checked", "Detail"]}
      >
        {places.map((place) => (
          <PlaceRow key={place.id} place={place} />
        ))}
      </ScrollableTable>
    </Card>
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

/** Which locations see trouble, while not all of them do (behavior 13.67). */
export function SeenTrouble({ monitor, places }: { monitor: Monitor; places: Place[] }) {
  const dissent = findDissent(monitor, places);
  if (!dissent) return null;
  const { sees, by, of } = dissent;
  return (
    <p className="monitor-suspicion">
      {sees} seen from {by.length} of {formatCount(of, "location")}
      {by.length > 0 && `: ${by.join(", ")}`}
    </p>
  );
}

/**
 * @property sees what some locations see, and others or the status do not
 * @property by the names of these locations
 * @property of how many locations have a vote
 */
interface Dissent {
  sees: "Down" | "Trouble";
  by: string[];
  of: number;
}

const WARNING = 1;
const DOWN = 2;

/** The locations that see trouble; null if all locations agree with the status, or if the monitor is paused. */
export function findDissent(
  { status, enabled }: { status: Status; enabled: boolean },
  places: Place[],
): Dissent | null {
  const voters = places.filter((one) => one.state === "connected" && !one.isAtFault && one.latest);
  const level = status === "unknown" ? 0 : levelOf(status);
  const dissentAt = (least: number, sees: Dissent["sees"]) => {
    const by = voters.filter(({ latest }) => latest && levelOf(latest.status) >= least);
    const agreeing = level >= least ? voters.length : 0;
    return by.length === agreeing
      ? null
      : { sees, by: by.map(({ name }) => locationLabel(name)), of: voters.length };
  };
  return enabled ? (dissentAt(DOWN, "Down") ?? dissentAt(WARNING, "Trouble")) : null;
}
