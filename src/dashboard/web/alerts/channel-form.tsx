import { useState } from "react";
import { useLocation } from "wouter";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { api, type Channel, type Config } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList, TypePicker } from "../form/choices.tsx";
import { ConfigControl } from "../form/config-control.tsx";
import { storedValue } from "../form/config-field.ts";
import { EditView } from "../form/edit-view.tsx";
import { FieldError, NameField } from "../form/fields.tsx";
import { Disclosure, useForm } from "../form/form.tsx";
import { checkedValues, keyFaults, textOf } from "../form/form-values.ts";
import { HeaderRows } from "../form/rows.tsx";
import { channelFaults } from "../form/validation.ts";
import { isFormat, SERVICES, type Service, serviceLabels, serviceOf, typeOf } from "./service.ts";
import { configOf, serviceFields } from "./service-fields.ts";
import { ServiceIcon, ServiceName } from "./service-icon.tsx";

export function NewChannel() {
  return <ChannelForm />;
}

/** Creates a channel, or edits one. */
export function ChannelForm({ channel, onDone }: { channel?: Channel; onDone?: () => void }) {
  const [service, setService] = useState<Service>(channel ? serviceOf(channel) : "SLACK");
  const change = useChange(queryKeys.channels);
  const [, navigate] = useLocation();
  const valuesOf = (data: FormData) => ({
    name: textOf(data, "name") ?? "",
    config: configOf(service, data, { ...channel?.config }),
    notifyOn: checkedValues(data, "notifyOn") as NotifyOn,
  });
  const save = async (data: FormData) => {
    const values = valuesOf(data);
    const saved = await change(
      channel
        ? api.alerts({ id: channel.id }).patch(values)
        : api.alerts.post({ ...values, type: typeOf(service) }),
    );
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
  const error = useForm().errors.notifyOn && "Select “Goes down” or “Gets a warning”.";
  return (
    <CheckList
      legend="Notify when a monitor …"
      name="notifyOn"
      options={notifyOnOptions.map(({ value, label }) => ({
        value,
        label,
        isChecked: notifyOn?.includes(value) ?? true,
      }))}
      describedBy={error && "notify-on-error"}
    >
      <FieldError id="notify-on-error" error={error} />
    </CheckList>
  );
}

interface Props {
  service: Service;
  /** The stored config; undefined for a new channel. */
  config: Config | undefined;
}

/** The fields of the config of a service. */
export function ConfigFields({ service, config }: Props) {
  const [method, setMethod] = useState(String((config?.options as Config | undefined)?.method ?? ""));
  const fields = serviceFields[service].map((field) => ({
    ...field,
    value: config ? storedValue(field, config) : field.initial,
  }));
  const controlOf = (field: (typeof fields)[number]) => {
    const control = (
      <ConfigControl
        key={field.name}
        field={field}
        value={field.value}
        {...(field.name === "options.method" && { onChoice: setMethod })}
      />
    );
    if (field.name !== "options.body") return control;
    const hasNoBody = method === "GET";
    // Disabled, so that the form has no value for it, and not removed, so that it keeps what was entered.
    return (
      <fieldset key={field.name} disabled={hasNoBody} hidden={hasNoBody}>
        {control}
      </fieldset>
    );
  };
  const isEdited = ({ value, initial }: (typeof fields)[number]) => value !== undefined && value !== initial;
  const rare = fields.filter(({ isRare }) => isRare);
  return (
    <>
      {fields.filter(({ isRare }) => !isRare).map(controlOf)}
      {isFormat(service) && (
        <Disclosure
          summary={rare.length > 0 ? "More settings" : "Request headers"}
          isOpen={rare.some(isEdited) || config?.headers !== undefined}
        >
          {rare.map(controlOf)}
          <HeaderRows config={config ?? {}} />
        </Disclosure>
      )}
    </>
  );
}
