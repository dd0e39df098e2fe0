import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { api, type Channel, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { CheckList } from "../form/check-list.tsx";
import { EditView } from "../form/edit-view.tsx";
import { NameField } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { checkedValues, textOf } from "../form/form-values.ts";
import { keyFaults } from "../form/rows/pair-values.ts";
import { TypePicker } from "../form/type-picker.tsx";
import { channelFaults } from "../form/validation.ts";
import { ConfigFields } from "./services/config-fields.tsx";
import { configOf } from "./services/config-values.ts";
import { SERVICES, type Service, serviceLabels, serviceOf, typeOf } from "./services/service.ts";
import { ServiceIcon, ServiceName } from "./services/service-icon.tsx";

/** Creates a channel, or edits one. */
export function ChannelForm({ channel, onDone }: { channel?: Channel; onDone?: () => void }) {
  const [service, setService] = useState<Service>(channel ? serviceOf(channel) : "SLACK");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const valuesOf = (data: FormData) => ({
    name: textOf(data, "name") ?? "",
    config: configOf(service, data, { ...channel?.config }),
    notifyOn: checkedValues(data, "notifyOn") as NotifyOn,
  });
  const save = async (data: FormData) => {
    const values = valuesOf(data);
    const saved = channel
      ? await getData(api.alerts({ id: channel.id }).patch(values))
      : await getData(api.alerts.post({ ...values, type: typeOf(service) }));
    await queries.invalidateQueries({ queryKey: queryKeys.channels });
    if (onDone) onDone();
    else navigate(`/channels/${saved.id}`, { replace: true });
  };
  return (
    <EditView
      noun="channel"
      name={channel?.name}
      reference={channel?.ref}
      check={(data) => [
        ...keyFaults(data, { at: "config.headers", width: 2, what: "name" }),
        ...channelFaults(typeOf(service), valuesOf(data), channel?.config),
      ]}
      onSubmit={save}
      cancel={onDone ?? (() => navigate("/channels"))}
    >
      {channel ? (
        <ServiceName channel={channel} />
      ) : (
        <TypePicker
          legend="Service"
          options={SERVICES.map((one) => ({
            type: one,
            label: serviceLabels[one],
            icon: <ServiceIcon service={one} />,
          }))}
          value={service}
          onChange={setService}
        />
      )}
      <NameField value={channel?.name} />
      <ConfigFields key={service} service={service} config={channel && { ...channel.config }} />
      <NotifyOnPicker notifyOn={channel?.notifyOn} />
    </EditView>
  );
}

const notifyOnOptions = [
  { value: "down", label: "Goes down" },
  { value: "warning", label: "Gets a warning, such as Degraded" },
  { value: "healthy", label: "Is healthy again" },
] as const;

function NotifyOnPicker({ notifyOn }: { notifyOn: NotifyOn | undefined }) {
  const hasError = useForm().errors.notifyOn !== undefined;
  return (
    <CheckList
      legend="Notify when a monitor …"
      name="notifyOn"
      options={notifyOnOptions.map(({ value, label }) => ({
        value,
        label,
        isChecked: notifyOn?.includes(value) ?? true,
      }))}
      describedBy={hasError ? "notify-on-error" : undefined}
    >
      {hasError && (
        <p className="field-error" id="notify-on-error" role="alert">
          Select “Goes down” or “Gets a warning”.
        </p>
      )}
    </CheckList>
  );
}
