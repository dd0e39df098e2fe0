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
import { named, rich } from "../languages/rich.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import { RowState } from "../status/status-mark.tsx";
import { CopyableText, DeleteButton } from "../ui/clipboard.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { formatLatency } from "../ui/durations.ts";
import { ListRow, ListView } from "../ui/list.tsx";
import { TimeSince } from "../ui/time.tsx";

/** Milliseconds between two fetches. The server reports no changes of locations. */
const INTERVAL = 5000;

export function Locations() {
  const { data, error } = useQuery({ ...locationsQuery, refetchInterval: INTERVAL });
  const { title, lead, none } = texts.locations.list;
  return (
    <ListView
      title={title}
      lead={lead}
      items={data}
      error={error}
      none={none}
      row={(location) => <LocationRow key={location.id} location={location} />}
      create={{ role: "owner", label: texts.locations.actions.new, dialog: NewLocation }}
    />
  );
}

export function LocationRow({ location }: { location: Location }) {
  const { name, lastSeenAt, ping, keySharedAt } = location;
  const { label, mark, effect } = conditionOf(location);
  const mayManage = useHasRole("owner");
  const backlog = describeBacklog(location);
  const words = texts.locations.notes;
  return (
    <ListRow
      className="location-row"
      state={
        <RowState state={mark} label={label}>
          {lastSeenAt && rich(texts.locations.list.seen, { ago: <TimeSince at={lastSeenAt} short /> })}
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
              {rich(words.noPing, { setting: <code>net.ipv4.ping_group_range</code> })}
            </span>
          )}
          {keySharedAt !== undefined && (
            <span className="list-row-note state-warning">{words.sharedKey}</span>
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
  const words = texts.locations.facts;
  const parts = [
    plural(words.monitors, monitors),
    version !== null && fill(words.version, { version }),
    lagMs !== null && fill(words.delay, { delay: formatLatency(lagMs) }),
  ];
  return parts.filter(Boolean).join(" · ");
}

function LocationActions({ location }: { location: Location }) {
  const { name } = location;
  const { rename, renameLabel } = texts.locations.actions;
  return (
    <div className="actions">
      <DialogButton label={rename} name={fill(renameLabel, { name })}>
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
    <Dialog title={texts.locations.renameTitle} onClose={onClose}>
      <LocationForm name={name} action={texts.locations.actions.save} onSubmit={rename} onCancel={onClose} />
    </Dialog>
  );
}

/** The server refuses to delete a location that monitors use, and names them. */
function DeleteLocation({ location: { id, name } }: { location: Location }) {
  const change = useChange(queryKeys.locations);
  const remove = () => change(api.locations({ id }).delete());
  const { question, text } = texts.locations.delete;
  return (
    <DeleteButton
      name={name}
      question={question}
      label={fill(texts.locations.actions.deleteLabel, { name })}
      onDelete={remove}
    >
      {text}
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
  const words = texts.locations.notes;
  const parts = [
    waiting > 0 && !isUsual && plural(words.waiting, waiting),
    dropped > 0 && plural(words.dropped, dropped),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Creates a location with the key of its probe. */
function NewLocation({ onClose }: { onClose: () => void }) {
  const { newTitle, createdTitle } = texts.locations.setup;
  return (
    <ShownOnceDialog<{ name: string; key: string }>
      title={newTitle}
      createdTitle={({ name }) => named(createdTitle, name)}
      queryKey={queryKeys.locations}
      form={(create) => (
        <LocationForm
          action={texts.locations.actions.create}
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

const WAYS = ["command", "systemd"] as const;

/** How to run the probe of a new location. @property apiKey the key of the probe */
function ProbeSetup({ apiKey }: { apiKey: string }) {
  const [way, setWay] = useState<(typeof WAYS)[number]>("command");
  const words = texts.locations.setup;
  return (
    <>
      <p>{rich(words.copyNow, { b: (text) => <b>{text}</b> })}</p>
      <CopyableText text={apiKey} label={words.copyKey} />
      <fieldset className="segments location-ways">
        <legend className="visually-hidden">{words.ways}</legend>
        {WAYS.map((one) => (
          <button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
            {one === "systemd" ? one : words.commandLine}
          </button>
        ))}
      </fieldset>
      {way === "systemd" ? <ServiceSetup /> : <CommandSetup />}
      <p className="text-hint">{words.hint}</p>
    </>
  );
}

function CommandSetup() {
  const { command, copyCommand } = texts.locations.setup;
  return (
    <>
      <p>{rich(command, { file: <code>probe.key</code> })}</p>
      <CopyableText text={probeCommand(location.origin + base)} label={copyCommand} />
    </>
  );
}

function ServiceSetup() {
  const { unit, copyUnit, thenRun, copyCommand } = texts.locations.setup;
  return (
    <>
      <p>{rich(unit, { key: <code>{KEY_FILE}</code>, unit: <code>{UNIT_FILE}</code> })}</p>
      <CopyableText text={probeUnit(location.origin + base)} label={copyUnit} />
      <p>{thenRun}</p>
      <CopyableText text="systemctl enable --now stillup-probe" label={copyCommand} />
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

const marks: Record<Condition, DisplayState> = {
  new: "waiting",
  connected: "healthy",
  silent: "down",
  atFault: "warning",
};

/** @property effect the consequence; empty for a location that has a vote */
interface Described {
  label: string;
  mark: DisplayState;
  effect: string;
}

/** The state of a location in words for users (behavior 13.65). */
export function conditionOf(location: { state: LocationState; isAtFault: boolean }): Described {
  const condition = location.isAtFault && location.state === "connected" ? "atFault" : location.state;
  const { label, effect } = texts.locations;
  return {
    label: label[condition],
    mark: marks[condition],
    effect: condition === "connected" ? "" : effect[condition],
  };
}
