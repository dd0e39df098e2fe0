import { formatLatency } from "../../../domain/duration.ts";
import { useHasRole } from "../app/session.tsx";
import type { Location } from "../data/api.ts";
import { RowState } from "../status/row-state.tsx";
import { ListRow } from "../ui/list/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { TimeSince } from "../ui/time/time.tsx";
import { describeBacklog } from "./backlog.ts";
import { conditionOf } from "./conditions.ts";
import { LocationActions } from "./location-actions.tsx";

export function LocationRow({ location }: { location: Location }) {
  const { name, lastSeenAt, keySharedAt } = location;
  const { label, mark, effect } = conditionOf(location);
  const mayManage = useHasRole("owner");
  const backlog = describeBacklog(location);
  return (
    <ListRow
      className="location-row"
      state={
        <RowState state={mark} label={label}>
          {lastSeenAt && (
            <>
              seen <TimeSince at={lastSeenAt} short /> ago
            </>
          )}
        </RowState>
      }
      title={name}
      details={
        <>
          <span className="list-row-note">{describeProbe(location)}</span>
          {effect && <span className="list-row-note">{effect}</span>}
          {backlog && <span className="list-row-note state-warning">{backlog}</span>}
          {keySharedAt !== undefined && (
            <span className="list-row-note state-warning">
              Several probes use its key. Create a location for each probe.
            </span>
          )}
        </>
      }
    >
      {mayManage && <LocationActions location={location} />}
    </ListRow>
  );
}

/** What a location checks, and with which program. */
function describeProbe({ monitors, version, lagMs }: Location): string {
  const parts = [
    formatCount(monitors, "monitor"),
    version !== null && `version ${version}`,
    lagMs !== null && `results arrive after ${formatLatency(lagMs)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}
