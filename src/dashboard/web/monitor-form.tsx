import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import type { MonitorType } from "../../domain/monitor.ts";
import { ask, type BoundMonitor, type Channel, type Organization } from "./api.ts";
import { ConfigFields, configOf } from "./config-fields.tsx";
import { Field, focusWrong, type Refused, refusedBy, textOf } from "./fields.tsx";
import { Failure, View } from "./parts.tsx";
import { ProbeNow } from "./probe-now.tsx";
import { useMay } from "./session.tsx";
import { channelTypeWords, MONITOR_TYPES, monitorTypeWords } from "./words.ts";

export function NewMonitor() {
  const [params, setParams] = useSearchParams();
  const type = MONITOR_TYPES.find((one) => one === params.get("type")) ?? "HTTP";
  const organization = useQuery({
    queryKey: ["organization"],
    queryFn: () => ask<Organization>("GET", "/organization"),
  });
  if (!organization.data) return null;
  return (
    <MonitorForm
      type={type}
      onType={(one) => setParams({ type: one }, { replace: true })}
      bound={organization.data.defaultAlertChannelIds}
    />
  );
}

export function MonitorEditor({ id }: { id: string }) {
  const monitor = useQuery({
    queryKey: ["monitor", id],
    queryFn: () => ask<BoundMonitor>("GET", `/monitors/${id}`),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!monitor.data) return <Failure error={monitor.error} />;
  const bound = monitor.data.alertBindings.map(({ alertChannelId }) => alertChannelId);
  return <MonitorForm type={monitor.data.type} monitor={monitor.data} bound={bound} />;
}

interface Props {
  type: MonitorType;
  onType?: (type: MonitorType) => void;
  /** Where one is changed. */
  monitor?: BoundMonitor;
  /** The channels that are ticked at first. */
  bound: string[];
}

function MonitorForm({ type, onType, monitor, bound }: Props) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const [busy, setBusy] = useState(false);
  const [, go] = useLocation();
  const queries = useQueryClient();
  const channels = useQuery({ queryKey: ["channels"], queryFn: () => ask<Channel[]>("GET", "/alerts") });
  const mayWrite = useMay("admin");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setBusy(true);
    try {
      const values = {
        name: textOf(data, "name") ?? "",
        config: configOf(type, data),
        ...(channels.data && { alertChannelIds: data.getAll("alertChannelIds") }),
      };
      const saved = monitor
        ? await ask<BoundMonitor>("PATCH", `/monitors/${monitor.id}`, values)
        : await ask<BoundMonitor>("POST", "/monitors", { ...values, type });
      await Promise.all(
        ["now", "past", "report"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      );
      queries.removeQueries({ queryKey: ["monitor", saved.id] });
      go(`/monitors/${saved.id}`);
    } catch (error) {
      setRefused(
        refusedBy(error, [...form.elements].map((one) => one.getAttribute("name") ?? "").filter(Boolean)),
      );
      focusWrong(form);
      setBusy(false);
    }
  };
  const choose = (onType: (type: MonitorType) => void) => (one: MonitorType) => {
    setRefused(null);
    onType(one);
  };
  const title = monitor ? `Edit ${monitor.name}` : "New monitor";
  if (!mayWrite) {
    return (
      <View title={title}>
        <p>Only an admin or owner may do this.</p>
      </View>
    );
  }
  return (
    <View title={title}>
      <form className="form card" onSubmit={submit} noValidate>
        {onType && <TypePicker type={type} onType={choose(onType)} />}
        <Field name="name" label="Name" refused={refused}>
          {(props) => <input {...props} defaultValue={monitor?.name} autoComplete="off" required />}
        </Field>
        <ConfigFields key={type} type={type} config={monitor?.config ?? {}} refused={refused} />
        <ChannelPicker channels={channels.data} bound={bound} />
        {refused?.field === null && (
          <p className="failure" role="alert">
            {refused.words}
          </p>
        )}
        {type !== "SCHEDULED" && <ProbeNow key={`probe ${type}`} type={type} onRefused={setRefused} />}
        <div className="actions">
          <button type="submit" className="primary" disabled={busy}>
            {monitor ? "Save" : "Create monitor"}
          </button>
          <Link className="button" href={monitor ? `/monitors/${monitor.id}` : "/"}>
            Cancel
          </Link>
        </div>
      </form>
    </View>
  );
}

function TypePicker({ type, onType }: { type: MonitorType; onType: (type: MonitorType) => void }) {
  return (
    <fieldset className="types">
      <legend>What is watched</legend>
      {MONITOR_TYPES.map((one) => (
        <label key={one}>
          <input type="radio" name="type" value={one} checked={one === type} onChange={() => onType(one)} />
          <span>
            <b>{monitorTypeWords[one].name}</b>
            <small>{monitorTypeWords[one].does}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ChannelPicker({ channels, bound }: { channels: Channel[] | undefined; bound: string[] }) {
  if (!channels) return null;
  return (
    <fieldset className="ticks">
      <legend>Who is told</legend>
      {channels.length === 0 && (
        <p className="hint">
          No channel yet. <Link href="/channels/new">Add one</Link>, and tick it here later.
        </p>
      )}
      {channels.map(({ id, name, type, enabled }) => (
        <label key={id}>
          <input type="checkbox" name="alertChannelIds" value={id} defaultChecked={bound.includes(id)} />
          {name}{" "}
          <span className="muted">
            {channelTypeWords[type]}
            {!enabled && ", disabled"}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
