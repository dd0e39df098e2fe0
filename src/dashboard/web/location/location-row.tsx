import { formatLatency } from "../../../domain/duration.ts";
import { useHasRole } from "../app/session.tsx";
import type { Location } from "../data/api.ts";
import { StatusMark } from "../status/status-mark.tsx";
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
    <li className="list-row location-row">
      <div className="location-row-state">
        <StatusMark state={mark} />
        <span>
          <span className={`status-text state-${mark}`}>{label}</span>
          {lastSeenAt && (
            <span className="location-row-seen">
              seen <TimeSince at={lastSeenAt} short /> ago
            </span>
          )}
        </span>
      </div>
      <div className="list-row-name">
        <span className="list-row-title">{name}</span>
        <span className="location-row-detail">{describeProbe(location)}</span>
        {effect && <span className="location-row-detail">{effect}</span>}
        {backlog && <span className="location-row-detail state-warning">{backlog}</span>}
        {keySharedAt !== undefined && (
          <span className="location-row-detail state-warning">
            Several probes use its key. Create a location for each probe.
          </span>
        )}
      </div>
      {mayManage && <LocationActions location={location} />}
    </li>
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
