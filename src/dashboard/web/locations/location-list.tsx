import { useQuery } from "@tanstack/react-query";
import { formatLatency } from "../../../domain/duration.ts";
import { MAX_BATCH } from "../../../domain/locations/protocol.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Location } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { locationsQuery } from "../data/shared-queries.ts";
import { useChange } from "../data/use-change.ts";
import { RowState } from "../status/status-mark.tsx";
import { Dialog, DialogButton } from "../ui/dialog.tsx";
import { DeleteButton } from "../ui/item-actions.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { TimeSince } from "../ui/time.tsx";
import { conditionOf } from "./conditions.ts";
import { LocationForm, NewLocation } from "./new-location.tsx";

/** Milliseconds between two fetches. The server reports no changes of locations. */
const INTERVAL = 5000;

export function Locations() {
  const { data, error } = useQuery({ ...locationsQuery, refetchInterval: INTERVAL });
  return (
    <ListView
      title="Locations"
      lead="A probe in another location checks monitors from there, and connects to this server. Each monitor has a list of the locations that check it."
      items={data}
      error={error}
      none="No locations yet. This server does all checks."
      row={(location) => <LocationRow key={location.id} location={location} />}
      create={{ role: "owner", label: "New location", dialog: NewLocation }}
    />
  );
}

export function LocationRow({ location }: { location: Location }) {
  const { name, lastSeenAt, ping, keySharedAt } = location;
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
          {ping === "closed" && (
            <span className="list-row-note">
              It can't ping: set <code>net.ipv4.ping_group_range</code> there.
            </span>
          )}
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

/** The monitors of a location, and the version of its probe. */
function describeProbe({ monitors, version, lagMs }: Location): string {
  const parts = [
    formatCount(monitors, "monitor"),
    version !== null && `version ${version}`,
    lagMs !== null && `results arrive after ${formatLatency(lagMs)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

export function LocationActions({ location }: { location: Location }) {
  const { name } = location;
  return (
    <div className="actions">
      <DialogButton label="Rename" name={`Rename the location ${name}`}>
        {(onClose) => <RenameLocation location={location} onClose={onClose} />}
      </DialogButton>
      <DeleteLocation location={location} />
    </div>
  );
}

function RenameLocation({ location: { id, name }, onClose }: { location: Location; onClose: () => void }) {
  const change = useChange(queryKeys.locations);
  const rename = async (to: string) => {
    await change(api.locations({ id }).patch({ name: to }));
    onClose();
  };
  return (
    <Dialog title="Rename the location" onClose={onClose}>
      <LocationForm name={name} action="Save" onSubmit={rename} onCancel={onClose} />
    </Dialog>
  );
}

/** The server refuses to delete a location that monitors use, and names them. */
function DeleteLocation({ location: { id, name } }: { location: Location }) {
  const change = useChange(queryKeys.locations);
  const remove = () => change(api.locations({ id }).delete());
  return (
    <DeleteButton name={name} what="the location" label={`Delete the location ${name}`} onDelete={remove}>
      Its key is rejected immediately, and results that its probe has not sent yet are lost. You cannot undo
      this.
    </DeleteButton>
  );
}

/** Results that a probe could not send, in words. Empty without any: a connected one always has a few under way. */
export function describeBacklog({
  state,
  waiting,
  dropped,
}: Pick<Location, "state" | "waiting" | "dropped">): string {
  const isUsual = state === "connected" && waiting <= MAX_BATCH;
  const parts = [
    waiting > 0 &&
      !isUsual &&
      `${formatCount(waiting, "result")} ${waiting === 1 ? "waits" : "wait"} to be sent`,
    dropped > 0 && `${formatCount(dropped, "result")} became too old to be sent`,
  ];
  return parts.filter(Boolean).join(" · ");
}
