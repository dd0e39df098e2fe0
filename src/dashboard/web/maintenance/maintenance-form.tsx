import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { serviceLabel } from "../alerts/service.ts";
import { api, type Channel, getData, type Maintenance } from "../data/api.ts";
import { changedByMaintenance, queryKeys } from "../data/query-keys.ts";
import { channelsQuery } from "../data/shared-queries.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { EditView } from "../form/edit-view.tsx";
import { Field, NameField } from "../form/fields.tsx";
import { View } from "../ui/view.tsx";
import {
  type Kind,
  maintenanceFaults,
  maintenanceIn,
  type TimesBody,
  timesIn,
} from "./maintenance-values.ts";
import { SelectorFields } from "./selector-fields.tsx";
import { TimesFields } from "./times-fields.tsx";
import { WindowPreview } from "./window-preview.tsx";

export function NewMaintenance() {
  return <MaintenanceForm />;
}

export function EditMaintenance({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.maintenance(id),
    queryFn: () => getData(api.maintenances({ id }).get()),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <MaintenanceForm stored={data} />;
  return <View title="Maintenance" error={error} back={{ href: "/maintenances", to: "maintenances" }} />;
}

/**
 * Creates a maintenance, or edits one. Without its channels, the form would save that none is selected.
 *
 * @property stored the one to edit
 */
function MaintenanceForm({ stored }: { stored?: Maintenance }) {
  const channels = useQuery(channelsQuery);
  if (channels.data) return <CompleteForm stored={stored} channels={channels.data} />;
  const title = stored ? `Edit ${stored.title}` : "New maintenance";
  return <View title={title} error={channels.error} />;
}

interface Props {
  stored: Maintenance | undefined;
  channels: Channel[];
}

function CompleteForm({ stored, channels }: Props) {
  const [kind, setKind] = useState<Kind>(stored?.cron ? "repeated" : "once");
  const save = useSaveMaintenance(stored, kind);
  return (
    <EditView
      noun="maintenance"
      name={stored?.title}
      reference={stored?.ref}
      check={(data) => maintenanceFaults(maintenanceIn(data, kind, stored))}
      onSubmit={save}
      cancel="/maintenances"
    >
      <NameField name="title" label="Title" value={stored?.title} />
      <Field
        name="message"
        label="Message"
        hint="Optional. It is part of the notifications about this maintenance."
      >
        {(props) => <textarea {...props} rows={3} defaultValue={stored?.message ?? ""} />}
      </Field>
      <SelectorFields stored={stored?.selector} />
      <TimesFields kind={kind} onKind={setKind} stored={stored} />
      <WindowPreview key={kind} kind={kind} timesIn={(data) => validTimes(timesIn(data, kind, stored))} />
      <NotifyFields channels={channels} chosen={stored?.notifyChannelIds ?? []} />
    </EditView>
  );
}

/** The times in the form for the preview; null unless they are valid. */
function validTimes(times: ReturnType<typeof timesIn>): TimesBody | null {
  const others = { title: "-", selector: { all: true }, notifyChannelIds: [] };
  if (maintenanceFaults({ ...others, ...times }).length > 0) return null;
  return { ...NO_TIMES, ...times } as TimesBody;
}

const NO_TIMES: TimesBody = {
  startsAt: null,
  endsAt: null,
  cron: null,
  timezone: null,
  duration: null,
  until: null,
};

function useSaveMaintenance(stored: Maintenance | undefined, kind: Kind) {
  const [, navigate] = useLocation();
  const change = useChange(...changedByMaintenance);
  return async (data: FormData): Promise<void> => {
    const values = maintenanceIn(data, kind, stored);
    if (stored)
      await change(api.maintenances({ id: stored.id }).patch(values), queryKeys.maintenance(stored.id));
    else await change(api.maintenances.post(values));
    navigate("/maintenances", { replace: true });
  };
}

function NotifyFields({ channels, chosen }: { channels: Channel[]; chosen: readonly string[] }) {
  if (channels.length === 0) return null;
  return (
    <CheckList
      legend="Notify of start and end"
      name="notifyChannelIds"
      options={channels.map((channel) => ({
        value: channel.id,
        isChecked: chosen.includes(channel.id),
        label: (
          <>
            {channel.name} <span className="text-muted">{serviceLabel(channel)}</span>
          </>
        ),
      }))}
    />
  );
}
