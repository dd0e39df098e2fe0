import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LocationState } from "../../../domain/locations/location.ts";
import { MAX_BATCH } from "../../../domain/locations/protocol.ts";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { base } from "../app/base.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Location } from "../data/api.ts";
import { locationsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { ShownOnceDialog } from "../form/edit-view.tsx";
import { textOf } from "../form/field-errors.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { nameFaults } from "../form/validation.ts";
import { named } from "../languages/rich.tsx";
import { RowState } from "../status/status-mark.tsx";
import { CopyableText, DeleteButton } from "../ui/clipboard.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { formatLatency } from "../ui/durations.ts";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { TimeSince } from "../ui/time.tsx";

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

function LocationActions({ location }: { location: Location }) {
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
    <DeleteButton
      name={name}
      question="Delete the location “{name}”?"
      label={`Delete the location ${name}`}
      onDelete={remove}
    >
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

/** Creates a location with the key of its probe. */
function NewLocation({ onClose }: { onClose: () => void }) {
  return (
    <ShownOnceDialog<{ name: string; key: string }>
      title="New location"
      createdTitle={({ name }) => named("The probe in “{name}”", name)}
      queryKey={queryKeys.locations}
      form={(create) => (
        <LocationForm
          action="Create location"
          onSubmit={(name) => create(api.locations.post({ name }))}
          onCancel={onClose}
        />
      )}
      onClose={onClose}
    >
      {({ key }) => <ProbeSetup apiKey={key} />}
    </ShownOnceDialog>
  );
}

interface Props {
  /** The name of the location to rename. */
  name?: string;
  /** The label of the button that sends the form. */
  action: string;
  onSubmit: (name: string) => Promise<unknown>;
  onCancel: () => void;
}

function LocationForm({ name, action, onSubmit, onCancel }: Props) {
  const nameOf = (data: FormData) => textOf(data, "name") ?? "";
  return (
    <Form check={(data) => nameFaults(nameOf(data))} onSubmit={(data) => onSubmit(nameOf(data))}>
      <NameField value={name} />
      <FormFailure />
      <DialogActions onClose={onCancel}>
        <SubmitButton>{action}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

const WAYS = ["Command line", "systemd"] as const;

/** How to run the probe of a new location. @property apiKey the key of the probe */
function ProbeSetup({ apiKey }: { apiKey: string }) {
  const [way, setWay] = useState<(typeof WAYS)[number]>("Command line");
  return (
    <>
      <p>
        <b>Copy the key now.</b> This is the only time it is shown.
      </p>
      <CopyableText text={apiKey} label="Copy the key" />
      <fieldset className="segments location-ways">
        <legend className="visually-hidden">How to run the probe</legend>
        {WAYS.map((one) => (
          <button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      {way === "systemd" ? <ServiceSetup /> : <CommandSetup />}
      <p className="text-hint">
        The probe only connects to this server, and needs no open port. Replace the address if it reaches the
        server at another one.
      </p>
    </>
  );
}

function CommandSetup() {
  return (
    <>
      <p>
        On the other machine, save the key in the file <code>probe.key</code>, then run:
      </p>
      <CopyableText text={probeCommand(location.origin + base)} label="Copy the command" />
    </>
  );
}

function ServiceSetup() {
  return (
    <>
      <p>
        On the other machine, save the key as <code>{KEY_FILE}</code>, readable only by root, and this unit as{" "}
        <code>{UNIT_FILE}</code>:
      </p>
      <CopyableText text={probeUnit(location.origin + base)} label="Copy the unit" />
      <p>Then run:</p>
      <CopyableText text="systemctl enable --now stillup-probe" label="Copy the command" />
    </>
  );
}

const KEY_FILE = "/etc/stillup/stillup-probe.key";
const UNIT_FILE = "/etc/systemd/system/stillup-probe.service";

/** The command that runs a probe. @param server the address of this server */
export function probeCommand(server: string): string {
  return `stillup probe --server ${server} --key-file probe.key`;
}

/**
 * A systemd unit that runs a probe with few rights: the one of the installer, without its user. The credential lets a user
 * that exists only while the probe runs read a key that only root can read.
 *
 * @param server the address of this server
 */
export function probeUnit(server: string): string {
  return `[Unit]
Description=stillup probe
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
ExecStart=/usr/local/bin/stillup probe --server ${server} --key-file \${CREDENTIALS_DIRECTORY}/key --data-dir \${STATE_DIRECTORY}
LoadCredential=key:${KEY_FILE}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
WatchdogSec=60
LimitNOFILE=65536
LimitNICE=-10

DynamicUser=yes
StateDirectory=stillup-probe
StateDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallFilter=setpriority sched_setattr
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

type Condition = LocationState | "atFault";

interface ConditionTraits {
  label: string;
  mark: DisplayState;
  /** The consequence; empty for a location that has a vote. */
  effect: string;
}

const traits: Record<Condition, ConditionTraits> = {
  new: { label: "Not connected yet", mark: "waiting", effect: "It has no vote until its probe connects." },
  connected: { label: "Connected", mark: "healthy", effect: "" },
  silent: {
    label: "Silent",
    mark: "down",
    effect: "It has no vote. Monitors that only it checks are Waiting.",
  },
  atFault: {
    label: "Network at fault",
    mark: "warning",
    effect: "All its checks fail, while other locations see most of the monitors healthy. It has no vote.",
  },
};

/** The state of a location in words for users (behavior 13.65). */
export function conditionOf(location: { state: LocationState; isAtFault: boolean }): ConditionTraits {
  return traits[location.isAtFault && location.state === "connected" ? "atFault" : location.state];
}
