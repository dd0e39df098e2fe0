import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "wouter";
import type { Plan } from "../../../domain/accounts/organization.ts";
import type { Placement } from "../../../domain/locations/placement.ts";
import type { Confirmation } from "../../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { channelTypeLabels } from "../channel/channel-types.ts";
import { api, type Channel, getData, type Monitor } from "../data/api.ts";
import { invalidate } from "../data/invalidate.ts";
import { queryKeys } from "../data/query-keys.ts";
import { channelsQuery, locationsQuery, organizationQuery } from "../data/shared-queries.ts";
import { CheckList } from "../form/check-list.tsx";
import { NameField } from "../form/fields.tsx";
import { checkedValues, textOf } from "../form/form-values.ts";
import { FormView } from "../form/form-view.tsx";
import { TypePicker } from "../form/type-picker.tsx";
import { locationFaults, monitorFaults } from "../form/validation.ts";
import { Failure } from "../ui/failure.tsx";
import { CheckNow } from "./check-now.tsx";
import { ConfigFields } from "./config/config-fields.tsx";
import { configOf } from "./config/config-values.ts";
import { rowFaults } from "./config/row-faults.ts";
import { ConfirmationFields } from "./confirmation-fields.tsx";
import { confirmationOf, offeredNumbers } from "./confirmation-values.ts";
import { LocationFields } from "./locations/location-fields.tsx";
import { chosenOf, ONLY_HERE } from "./locations/location-values.ts";
import { monitorQuery } from "./monitor-queries.ts";
import { MONITOR_TYPES, monitorTypeLabels } from "./monitor-types.ts";

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
      boundIds={defaultAlertChannelIds}
    />
  );
}

export function EditMonitor({ id }: { id: string }) {
  const organization = useQuery(organizationQuery);
  const monitor = useQuery({ ...monitorQuery(id), staleTime: Number.POSITIVE_INFINITY });
  if (!monitor.data || !organization.data) return <Failure error={monitor.error ?? organization.error} />;
  const { type, alertBindings } = monitor.data;
  const boundIds = alertBindings.map(({ alertChannelId }) => alertChannelId);
  return <MonitorForm type={type} monitor={monitor.data} plan={organization.data.plan} boundIds={boundIds} />;
}

interface Props {
  type: MonitorType;
  /** Undefined if the type cannot be changed. */
  onType?: (type: MonitorType) => void;
  /** The monitor to edit; undefined to create one. */
  monitor?: Monitor;
  plan: Plan;
  /** The channels that are checked at first. */
  boundIds: string[];
}

function MonitorForm({ type, onType, monitor, plan, boundIds }: Props) {
  const channels = useQuery(channelsQuery);
  const locations = useQuery(locationsQuery);
  const save = useSaveMonitor(monitor);
  const valuesOf = (data: FormData) => ({
    name: textOf(data, "name") ?? "",
    config: configOf(type, data, monitor?.config),
    ...confirmationOf(data),
    ...chosenOf(data, monitor?.locations),
  });
  const faultsOf = (data: FormData) => {
    const values = valuesOf(data);
    return [
      ...rowFaults(data),
      ...monitorFaults(type, values, plan, monitor?.config),
      ...locationFaults(values.locations),
    ];
  };
  const submit = (data: FormData) => {
    const alertChannelIds = checkedValues(data, "alertChannelIds");
    return save(type, { ...valuesOf(data), ...(channels.data && { alertChannelIds }) });
  };
  return (
    <FormView
      noun="monitor"
      name={monitor?.name}
      check={faultsOf}
      onSubmit={submit}
      cancel={
        <Link className="button" replace href={monitor ? `/monitors/${monitor.id}` : "/"}>
          Cancel
        </Link>
      }
      tools={type !== "SCHEDULED" && <CheckNow key={`check ${type}`} type={type} monitor={monitor} />}
    >
      {onType && (
        <TypePicker
          legend="What to monitor"
          options={MONITOR_TYPES.map((one) => {
            const { name, description } = monitorTypeLabels[one];
            return { type: one, label: name, description };
          })}
          value={type}
          onChange={onType}
        />
      )}
      <NameField value={monitor?.name} />
      <ConfigFields type={type} config={monitor?.config ?? {}} isNew={!monitor} />
      <ConfirmationFields
        key={`confirm ${type === "HTTP"}`}
        type={type}
        numbers={monitor ?? offeredNumbers(type)}
      />
      {type !== "SCHEDULED" && locations.data && (
        <LocationFields locations={locations.data} chosen={{ ...ONLY_HERE, ...monitor }} />
      )}
      {channels.data && <ChannelPicker channels={channels.data} boundIds={boundIds} />}
    </FormView>
  );
}

/** @param monitor the monitor to update; undefined to create one */
function useSaveMonitor(monitor: Monitor | undefined) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  return async (
    type: MonitorType,
    values: Confirmation & Partial<Placement> & { name: string; config: object; alertChannelIds?: string[] },
  ): Promise<void> => {
    const saved = monitor
      ? await getData(api.monitors({ id: monitor.id }).patch(values))
      : await getData(api.monitors.post({ ...values, type }));
    await invalidate(queries, [queryKeys.overview, queryKeys.allHistories, queryKeys.allReports]);
    queries.removeQueries({ queryKey: queryKeys.monitor(saved.id) });
    navigate(`/monitors/${saved.id}`, { replace: true });
  };
}

function ChannelPicker({ channels, boundIds }: { channels: Channel[]; boundIds: string[] }) {
  return (
    <CheckList
      legend="Channels to notify"
      name="alertChannelIds"
      options={channels.map(({ id, name, type, enabled }) => ({
        value: id,
        isChecked: boundIds.includes(id),
        label: (
          <>
            {name}{" "}
            <span className="text-muted">
              {channelTypeLabels[type]}
              {!enabled && ", disabled"}
            </span>
          </>
        ),
      }))}
    >
      {channels.length === 0 && (
        <p className="text-hint">
          No channels yet. <Link href="/channels/new">Create a channel</Link>, and select it here later.
        </p>
      )}
    </CheckList>
  );
}
