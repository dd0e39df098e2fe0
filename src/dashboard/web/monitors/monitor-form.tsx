import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Plan } from "../../../domain/accounts/organization.ts";
import type { Placement } from "../../../domain/locations/place.ts";
import type { Confirmation } from "../../../domain/monitors/confirmation.ts";
import { kindById, kindOf, MONITOR_KINDS, type MonitorKind } from "../../../domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { NewChannelDialog } from "../alerts/new-channel.tsx";
import { api, type Config, type Monitor } from "../data/api.ts";
import { tagsIn, tagsQuery } from "../data/monitor-lists.ts";
import { channelsQuery, locationsQuery, organizationQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { type Draft, draftOf, draftsQuery } from "../discovery/discovery-query.ts";
import { TagField, TypePicker } from "../form/choices.tsx";
import { EditView } from "../form/edit-view.tsx";
import { checkedValues, textOf } from "../form/field-errors.ts";
import { NameField } from "../form/fields.tsx";
import { MonitorPicker } from "../form/monitor-picker.tsx";
import { Disclosure, FieldSearch, reveal } from "../form/sections.tsx";
import { locationFaults, monitorFaults, tagFaults } from "../form/validation.ts";
import { changesBetween, ReplayLine } from "../hindsight/replay-line.tsx";
import { fill, texts } from "../languages/texts.ts";
import { schedulesQuery } from "../on-call/schedules.ts";
import { View } from "../ui/view.tsx";
import { AlertFields, AlertPreview, type Binding, bindingsOf } from "./alerts/alert-fields.tsx";
import { CheckNow } from "./check-now.tsx";
import { ConfigFields, ConfigSections } from "./config/config-fields.tsx";
import { configOf, formFaults } from "./config/config-values.ts";
import { ProposedName } from "./config/interval-field.tsx";
import {
  ConfirmationFields,
  chosenOf,
  confirmationOf,
  LocationFields,
  ONLY_HERE,
  offeredNumbers,
} from "./confirmation-fields.tsx";
import { monitorQuery, OVERVIEW, relatedQuery } from "./monitor-queries.ts";

export function NewMonitor() {
  const [params, setParams] = useSearchParams();
  const from = params.get("from") ?? "";
  const found = params.get("found") ?? "";
  const drafts = useQuery({ ...draftsQuery, enabled: found !== "" });
  const draft = drafts.data && draftOf(drafts.data, found);
  const kind = MONITOR_KINDS.find((one) => one === params.get("type")) ?? draft?.kind ?? "HTTP";
  const organization = useQuery(organizationQuery);
  const areLoading = useOfferedLoading();
  const original = useQuery({
    ...monitorQuery(from),
    enabled: from !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!organization.data || areLoading || (from && !original.data) || drafts.isLoading)
    return (
      <NotLoaded title={texts.form.newView.monitor.title} error={organization.error ?? original.error} />
    );
  const { plan, defaultAlertChannelIds } = organization.data;
  if (original.data) {
    const { type, config, alertBindings } = original.data;
    return (
      <MonitorForm
        kind={kindOf(type, config)}
        copied={copyOf(original.data)}
        plan={plan}
        bindings={withTimes(alertBindings)}
      />
    );
  }
  const bindings = defaultAlertChannelIds.map((alertChannelId) => ({ alertChannelId, after: 0, every: 0 }));
  return (
    <MonitorForm
      kind={kind}
      onKind={(one) => setParams({ ...(found && { found }), type: one }, { replace: true })}
      draft={draft}
      plan={plan}
      bindings={bindings}
    />
  );
}

export function EditMonitor({ id }: { id: string }) {
  const organization = useQuery(organizationQuery);
  const areLoading = useOfferedLoading();
  const monitor = useQuery({ ...monitorQuery(id), staleTime: Number.POSITIVE_INFINITY });
  if (!monitor.data || !organization.data || areLoading)
    return <NotLoaded title={texts.config.title} error={monitor.error ?? organization.error} />;
  const { type, config, alertBindings } = monitor.data;
  const bindings = withTimes(alertBindings);
  return (
    <MonitorForm
      kind={kindOf(type, config)}
      monitor={monitor.data}
      plan={organization.data.plan}
      bindings={bindings}
    />
  );
}

/** Whether the channels, schedules, locations and tags that the form offers are loading: they come with the form, so that nothing moves. */
function useOfferedLoading(): boolean {
  const offered = [
    useQuery(channelsQuery),
    useQuery(schedulesQuery),
    useQuery(locationsQuery),
    useQuery(tagsQuery),
  ];
  return offered.some(({ isLoading }) => isLoading);
}

function withTimes(bindings: Monitor["alertBindings"]): Binding[] {
  return bindings.map(({ monitorId: _, ...binding }) => ({ after: 0, every: 0, ...binding }));
}

/** The values of a new monitor. Secrets stay `•••`, which the form refuses, so that the reader enters them. */
function copyOf({ name, config, ref: _, ...monitor }: Monitor): Monitor {
  const { pushToken: __, ...copied } = config as Config;
  return { ...monitor, name: fill(texts.config.copyOf, { name }), config: copied, ref: null } as Monitor;
}

/** Nothing while the form is loaded, so that the heading of the form does not get the focus. */
function NotLoaded({ title, error }: { title: string; error: unknown }) {
  return Boolean(error) && <View title={title} error={error} back={OVERVIEW} />;
}

interface Props {
  kind: MonitorKind;
  /** Undefined if the kind cannot be changed. */
  onKind?: (kind: MonitorKind) => void;
  /** The monitor to edit; undefined to create one. */
  monitor?: Monitor;
  /** The values that the form of a new monitor shows. */
  copied?: Monitor;
  /** The values that the form of a new monitor proposes for something that nobody watches. */
  draft?: Draft | undefined;
  plan: Plan;
  /** The channels that are selected at first. */
  bindings: Binding[];
}

function MonitorForm({ kind, onKind, monitor, copied, draft, plan, bindings }: Props) {
  const { type } = kindById(kind);
  const shown = monitor ?? copied;
  const proposed = draft?.kind === kind ? draft.config : undefined;
  /** The config in the fields, once the reader has chosen steps or one request. */
  const [changed, setChanged] = useState<{ kind: MonitorKind; config: Config }>();
  const config: Config = (changed?.kind === kind && changed.config) || (shown?.config ?? proposed ?? {});
  const named = shown ?? draft;
  const channels = useQuery(channelsQuery);
  const locations = useQuery(locationsQuery);
  const tags = useQuery(tagsQuery);
  const [creates, setCreates] = useState(false);
  const [created, setCreated] = useState<Binding[]>([]);
  const save = useSaveMonitor(monitor);
  useNamedField();
  const valuesOf = (data: FormData) => ({
    name: textOf(data, "name") ?? "",
    config: configOf(kind, data, config),
    ...confirmationOf(data),
    ...chosenOf(data, shown?.locations),
    ...relationsOf(data),
  });
  const faultsOf = (data: FormData) => {
    const values = valuesOf(data);
    return [
      ...formFaults(kind, data),
      ...monitorFaults(type, values, plan, monitor?.config),
      ...locationFaults(values.locations),
      ...tagFaults(values.tags),
    ];
  };
  const fields = {
    kind,
    config,
    isNew: !shown && changed?.kind !== kind,
    onConfig: (to: Config) => setChanged({ kind, config: to }),
  };
  const submit = (data: FormData) => {
    const alertBindings = bindingsOf(data);
    return save(type, { ...valuesOf(data), ...(alertBindings && { alertBindings }) });
  };
  return (
    <>
      <EditView
        noun="monitor"
        name={monitor?.name}
        reference={monitor?.ref}
        check={faultsOf}
        onSubmit={submit}
        note={
          monitor && (
            <ReplayLine
              id={monitor.id}
              changesIn={(data) =>
                changesBetween(
                  monitor,
                  { ...monitor, bindings },
                  { ...ONLY_HERE, ...valuesOf(data), bindings: bindingsOf(data) },
                )
              }
            />
          )
        }
        cancel={shown ? `/monitors/${shown.id}` : draft ? "/discovery" : "/"}
        side={
          <>
            {type !== "SCHEDULED" && (
              <CheckNow key={`check ${kind}`} kind={kind} shown={config} monitor={monitor} />
            )}
            {channels.data && <AlertPreview type={type} channels={channels.data} />}
          </>
        }
      >
        {onKind && (
          <TypePicker
            legend={texts.config.kinds}
            options={MONITOR_KINDS.map((one) => ({
              ...{ type: one, label: texts.common.kinds[one], description: texts.steps.purposes[one] },
            }))}
            value={kind}
            onChange={onKind}
          />
        )}
        <ConfigFields {...fields} plan={plan}>
          {named ? <NameField value={named.name} /> : <ProposedName kind={kind} />}
        </ConfigFields>
        {channels.data && (
          <AlertFields
            channels={channels.data}
            bindings={[...bindings, ...created]}
            onCreate={() => setCreates(true)}
          />
        )}
        <FieldSearch />
        <div className="form-sections">
          <ConfigSections {...fields} />
          <Disclosure summary={texts.config.sections.confirmation}>
            <ConfirmationFields
              key={`confirm ${type === "HTTP"}`}
              type={type}
              numbers={shown ?? offeredNumbers(type)}
            />
          </Disclosure>
          {type !== "SCHEDULED" && locations.data && locations.data.length > 0 && (
            <Disclosure summary={texts.config.sections.locations}>
              <LocationFields locations={locations.data} chosen={{ ...ONLY_HERE, ...shown }} />
            </Disclosure>
          )}
          <Disclosure summary={texts.config.sections.relations}>
            <TagField
              name="tags"
              label={texts.config.tags}
              tags={shown?.tags ?? []}
              known={tags.data ?? []}
            />
            <DependsOn id={monitor?.id ?? ""} dependsOn={shown?.dependsOn ?? []} />
          </Disclosure>
        </div>
      </EditView>
      {/* Outside of the form, because a form cannot contain another one. */}
      {creates && (
        <NewChannelDialog
          onCreated={({ id }) => setCreated([...created, { alertChannelId: id, after: 0, every: 0 }])}
          onClose={() => setCreates(false)}
        />
      )}
    </>
  );
}

/** Moves the focus to the field that the address names, such as `?field=config.redirects`, after the heading had it. */
function useNamedField(): void {
  const [params] = useSearchParams();
  const name = params.get("field") ?? "";
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const [field] = name ? document.getElementsByName(name) : [];
      if (field) reveal(field);
    });
    return () => cancelAnimationFrame(frame);
  }, [name]);
}

/** The monitors that this one depends on. Neither itself nor its dependents are offered: that would be a cycle. */
function DependsOn({ id, dependsOn }: { id: string; dependsOn: string[] }) {
  const { data: excluded = [] } = useQuery({ ...relatedQuery(id, "dependents"), enabled: id !== "" });
  return (
    <MonitorPicker
      legend={texts.config.dependsOn.title}
      name="dependsOn"
      chosen={dependsOn}
      excluded={excluded.map((one) => one.id)}
      hint={texts.config.dependsOn.hint}
    />
  );
}

/** @param monitor the monitor to update; undefined to create one */
function useSaveMonitor(monitor: Monitor | undefined) {
  const [, navigate] = useLocation();
  const change = useChange(queryKeys.overview, queryKeys.allHistories, queryKeys.allReports);
  return async (
    type: MonitorType,
    values: Confirmation &
      Partial<Placement & Relations> & { name: string; config: object; alertBindings?: Binding[] },
  ): Promise<void> => {
    const saved = monitor
      ? await change(api.monitors({ id: monitor.id }).patch(values), queryKeys.monitor(monitor.id))
      : await change(api.monitors.post({ ...values, type }));
    navigate(`/monitors/${saved.id}`, { replace: true });
  };
}

/** Tags, and the IDs of the monitors that a monitor depends on. */
export interface Relations {
  tags: string[];
  dependsOn: string[];
}

function relationsOf(data: FormData): Relations {
  return { tags: tagsIn(data.get("tags")), dependsOn: checkedValues(data, "dependsOn") };
}
