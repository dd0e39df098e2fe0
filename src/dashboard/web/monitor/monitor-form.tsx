import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "wouter";
import type { Plan } from "../../../domain/accounts/organization.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { channelTypeWords } from "../channel/channel-type.ts";
import { api, ask, type Channel, type Monitor } from "../data/api.ts";
import { channelsQuery, organizationQuery } from "../data/shared-queries.ts";
import { NameField } from "../form/fields.tsx";
import { textOf, ticked } from "../form/form-values.ts";
import { Editor } from "../form/form-view.tsx";
import { monitorFaults } from "../form/validation.ts";
import { Failure } from "../ui/failure.tsx";
import { ProbeNow } from "./check-now.tsx";
import { ConfigFields, configOf } from "./config-fields.tsx";
import { MONITOR_TYPES, monitorTypeWords } from "./monitor-type.ts";

export function NewMonitor() {
  const [params, setParams] = useSearchParams();
  const type = MONITOR_TYPES.find((one) => one === params.get("type")) ?? "HTTP";
  const organization = useQuery(organizationQuery);
  if (!organization.data) return <Failure error={organization.error} />;
  const { plan, defaultAlertChannelIds } = organization.data;
  return (
    <MonitorForm
      type={type}
      onType={(one) => setParams({ type: one }, { replace: true })}
      plan={plan}
      bound={defaultAlertChannelIds}
    />
  );
}

export function MonitorEditor({ id }: { id: string }) {
  const organization = useQuery(organizationQuery);
  const monitor = useQuery({
    queryKey: ["monitor", id],
    queryFn: () => ask(api.monitors({ id }).get()),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!monitor.data || !organization.data) return <Failure error={monitor.error ?? organization.error} />;
  const bound = monitor.data.alertBindings.map(({ alertChannelId }) => alertChannelId);
  return (
    <MonitorForm
      type={monitor.data.type}
      monitor={monitor.data}
      plan={organization.data.plan}
      bound={bound}
    />
  );
}

interface Props {
  type: MonitorType;
  onType?: (type: MonitorType) => void;
  /** Where one is changed. */
  monitor?: Monitor;
  plan: Plan;
  /** The channels that are ticked at first. */
  bound: string[];
}

function MonitorForm({ type, onType, monitor, plan, bound }: Props) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const channels = useQuery(channelsQuery);
  const valuesOf = (data: FormData) => ({ name: textOf(data, "name") ?? "", config: configOf(type, data) });
  const save = async (data: FormData) => {
    const values = {
      ...valuesOf(data),
      ...(channels.data && { alertChannelIds: ticked(data, "alertChannelIds") }),
    };
    const saved = monitor
      ? await ask(api.monitors({ id: monitor.id }).patch(values))
      : await ask(api.monitors.post({ ...values, type }));
    await Promise.all(["now", "past", "report"].map((key) => queries.invalidateQueries({ queryKey: [key] })));
    queries.removeQueries({ queryKey: ["monitor", saved.id] });
    go(`/monitors/${saved.id}`, { replace: true });
  };
  return (
    <Editor
      noun="monitor"
      name={monitor?.name}
      check={(data) => monitorFaults(type, valuesOf(data), plan)}
      onSubmit={save}
      cancel={
        <Link className="button" replace href={monitor ? `/monitors/${monitor.id}` : "/"}>
          Cancel
        </Link>
      }
      tools={type !== "SCHEDULED" && <ProbeNow key={`probe ${type}`} type={type} />}
    >
      {onType && <TypePicker type={type} onType={onType} />}
      <NameField value={monitor?.name} />
      <ConfigFields type={type} config={monitor?.config ?? {}} />
      <ChannelPicker channels={channels.data} bound={bound} />
    </Editor>
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
