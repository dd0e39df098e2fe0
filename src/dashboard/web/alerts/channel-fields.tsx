import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ChannelType } from "../../../domain/alerts/channel.ts";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import type { Channel, Config } from "../data/api.ts";
import { serverQuery } from "../data/shared-queries.ts";
import { CheckList, TypePicker } from "../form/choices.tsx";
import { ConfigControl } from "../form/config-control.tsx";
import { storedValue } from "../form/config-field.ts";
import { FieldError, NameField } from "../form/fields.tsx";
import { Disclosure, useForm } from "../form/form.tsx";
import { checkedValues, keyFaults, textOf } from "../form/form-values.ts";
import { HeaderRows } from "../form/rows.tsx";
import { channelFaults } from "../form/validation.ts";
import { isFormat, SERVICES, type Service, serviceLabels, serviceOf, typeOf } from "./service.ts";
import { configOf, serviceFields } from "./service-fields.ts";
import { ServiceIcon, ServiceName } from "./service-icon.tsx";

export interface ChannelValues {
  name: string;
  type: ChannelType;
  config: Config;
  notifyOn: NotifyOn;
}

/** The service that the reader chooses, and the values in the form. @param channel the channel to edit */
export function useChannelForm(channel?: Channel) {
  const [service, setService] = useState<Service>(channel ? serviceOf(channel) : "SLACK");
  const valuesOf = (data: FormData): ChannelValues => ({
    name: textOf(data, "name") ?? "",
    type: typeOf(service),
    config: configOf(service, data, { ...channel?.config }),
    notifyOn: checkedValues(data, "notifyOn") as NotifyOn,
  });
  const check = (data: FormData) => [
    ...keyFaults(data, { at: "config.headers", width: 2, what: "name" }),
    ...channelFaults(typeOf(service), valuesOf(data), channel?.config),
  ];
  return { channel, service, setService, valuesOf, check };
}

/** The fields of a channel. */
export function ChannelFields({
  channel,
  service,
  setService,
}: Pick<ReturnType<typeof useChannelForm>, "channel" | "service" | "setService">) {
  return (
    <>
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
      {service === "EMAIL" && <MailWarning />}
      <NameField value={channel?.name} />
      <ConfigFields key={service} service={service} config={channel && { ...channel.config }} />
      <NotifyOnPicker notifyOn={channel?.notifyOn} />
    </>
  );
}

/** Whether this server can send e-mail, as far as it is known. */
export function useCanMail(): boolean {
  return useQuery(serverQuery).data?.mail.configured ?? true;
}

function MailWarning() {
  if (useCanMail()) return null;
  return (
    <p className="warning" role="alert">
      This server cannot send e-mail: set <code>--smtp-url</code> and <code>--smtp-from</code>.
    </p>
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
