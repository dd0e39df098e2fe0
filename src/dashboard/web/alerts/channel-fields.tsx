import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ChannelType } from "../../../domain/alerts/channel.ts";
import { PLACEHOLDERS } from "../../../domain/alerts/message-template.ts";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { declarations } from "../../../domain/alerts/services/registry.ts";
import { type Declaration, SECRET, type ServiceOption } from "../../../domain/alerts/services/service.ts";
import type { WebhookFormat } from "../../../domain/alerts/webhook-format.ts";
import type { Language } from "../../../domain/pages/reader-locale.ts";
import type { ConfigField, FieldWords } from "../../../domain/schemas/schema.ts";
import type { Channel, Config } from "../data/api.ts";
import { serverQuery } from "../data/query-keys.ts";
import { CheckList, ConfigControl, TypePicker } from "../form/choices.tsx";
import { readConfig, storedValue } from "../form/config-field.ts";
import { checkedValues, keyFaults, readPairs, textOf, withoutEmpty } from "../form/field-errors.ts";
import { FieldError, NameField, SelectField } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { HeaderRows } from "../form/rows.tsx";
import { Disclosure } from "../form/sections.tsx";
import { channelFaults } from "../form/validation.ts";
import { languageOptions } from "../languages/language-names.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import {
  isFormat,
  labelOfService,
  type Receiver,
  SERVICES,
  type Service,
  serviceLabel,
  serviceOf,
  typeOf,
} from "./service.ts";

export interface ChannelValues {
  name: string;
  type: ChannelType;
  config: Config;
  notifyOn: NotifyOn;
  /** Null: the organization decides. Undefined if the form does not offer any. */
  language?: Language | null;
}

/** The service that the reader chooses, and the values in the form. @param channel the channel to edit */
export function useChannelForm(channel?: Channel) {
  const [service, setService] = useState<Service>(channel ? serviceOf(channel) : "SLACK");
  const valuesOf = (data: FormData): ChannelValues => ({
    name: textOf(data, "name") ?? "",
    type: typeOf(service),
    config: configOf(service, data, { ...channel?.config }),
    notifyOn: checkedValues(data, "notifyOn") as NotifyOn,
    ...(data.has("language") && { language: (textOf(data, "language") as Language) ?? null }),
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
          legend={texts.alerts.form.service}
          options={SERVICES.map((one) => ({
            type: one,
            label: labelOfService(one),
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
      {!ENGLISH.includes(service) && <LanguageField language={channel?.language ?? undefined} />}
    </>
  );
}

/** Services whose messages are English in every language, because programs read them (behavior 27.45). */
const ENGLISH: readonly Service[] = ["standard", "custom"];

function LanguageField({ language }: { language: Language | undefined }) {
  const words = texts.alerts.form.language;
  return (
    <SelectField
      name="language"
      label={words.label}
      value={language}
      options={[{ value: "", label: words.ofOrganization }, ...languageOptions()]}
    />
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
      {rich(texts.alerts.form.cannotMail, { code: (text) => <code>{text}</code> })}
    </p>
  );
}

/** @property children below the options */
export function NotifyOnPicker({
  notifyOn,
  children,
}: {
  notifyOn: NotifyOn | undefined;
  children?: ReactNode;
}) {
  const { title, values, none } = texts.alerts.notifyOn;
  const error = useForm().errors.notifyOn && none;
  return (
    <CheckList
      legend={title}
      name="notifyOn"
      options={(["down", "warning", "healthy"] as const).map((value) => ({
        value,
        label: values[value],
        isChecked: notifyOn?.includes(value) ?? true,
      }))}
      describedBy={error && "notify-on-error"}
    >
      {children}
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
        words={wordsOf(service, field)}
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
          summary={rare.length > 0 ? texts.alerts.form.moreSettings : texts.alerts.form.headers}
          isOpen={rare.some(isEdited) || config?.headers !== undefined}
        >
          {rare.map(controlOf)}
          <HeaderRows config={config ?? {}} />
        </Disclosure>
      )}
    </>
  );
}

/** The fields of the config of each service except `headers`, in the order of the form. */
export const serviceFields: Record<Service, readonly ConfigField[]> = {
  SLACK: webhookUrl(),
  DISCORD: webhookUrl(),
  TEAMS: webhookUrl(),
  EMAIL: [{ name: "to", kind: "email" }],
  ...declaredFields(),
};

function webhookUrl(): ConfigField[] {
  return [{ name: "webhookUrl", kind: "url", isSecret: true }];
}

function declaredFields(): Record<WebhookFormat, ConfigField[]> {
  const byFormat = Object.entries<Declaration>(declarations).map(([format, one]) => [format, fieldsOf(one)]);
  const { standard = [], ...others }: Record<string, ConfigField[]> = Object.fromEntries(byFormat);
  const signature: ConfigField = { name: "secret", isSecret: true };
  return { ...others, standard: [...standard, signature] } as Record<WebhookFormat, ConfigField[]>;
}

/** The address first, unless most readers use the service at its own address. */
function fieldsOf({ url, options }: Declaration): ConfigField[] {
  const { usual: initial, holdsToken: _, ...shown } = url;
  const address: ConfigField = { name: "url", kind: "url", ...shown };
  const fields = Object.entries(options).flatMap(([name, option]) => optionField(name, option));
  return initial === undefined ? [address, ...fields] : [...fields, { ...address, initial, isRare: true }];
}

function optionField(name: string, { isHidden, schema, ...shown }: ServiceOption): ConfigField[] {
  if (isHidden) return [];
  return [{ name: `options.${name}`, ...kindOf({ schema, ...shown }), ...shown }];
}

function kindOf({ schema, choices }: ServiceOption): Pick<ConfigField, "kind"> {
  if (schema.format === SECRET) return { kind: "secret" };
  if (choices) return { kind: "choice" };
  return schema.type === "integer" ? { kind: "number" } : {};
}

/** The words of a field. The hint of the body of a request names the placeholders. */
export function wordsOf(service: Service, { name }: ConfigField): FieldWords {
  const fields: Readonly<Record<string, FieldWords>> = texts.alerts.fields[service];
  const { hint, ...words } = fields[name] ?? { label: name };
  const placeholders = PLACEHOLDERS.map((one) => `{{${one}}}`).join(", ");
  return { ...words, ...(hint && { hint: fill<string>(hint, { placeholders }) }) };
}

/**
 * The config in a form, as the API accepts it, without empty fields (behavior 16.172).
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(service: Service, data: FormData, stored: Config = {}): Config {
  return withoutEmpty({
    options: stored.options,
    ...readConfig(serviceFields[service], data, stored),
    ...(isFormat(service) && {
      format: service === "standard" ? stored.format : service,
      headers: readPairs(data, "config.headers"),
    }),
  });
}

/** Lines of our own in a square of 24, as a declaration has them. */
const shapes = {
  // A number sign.
  SLACK: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  // A headset.
  DISCORD: "M4 15v-3a8 8 0 0 1 16 0v3M4 14h3v6H6a2 2 0 0 1-2-2zM20 14h-3v6h1a2 2 0 0 0 2-2z",
  // Two people.
  TEAMS:
    "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3 19.5c0-3.3 2.6-5.3 6-5.3s6 2 6 5.3M15.8 10.6a2.7 2.7 0 1 0-.6-5.3M17.6 14.6c2.1.6 3.4 2.3 3.4 4.9",
  // An envelope.
  EMAIL: "M4 6h16v12H4zM4.5 7l7.5 6 7.5-6",
};

/** Decoration: the name of the service is always beside it. */
export function ServiceIcon({ service }: { service: Service }) {
  return (
    <svg className="service-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={isFormat(service) ? declarations[service].icon : shapes[service]} />
    </svg>
  );
}

interface NameProps {
  channel: Receiver;
  /** Beside the name. */
  children?: ReactNode;
}

/** The icon and the name of the service of a channel. */
export function ServiceName({ channel, children }: NameProps) {
  return (
    <p className="channel-service">
      <ServiceIcon service={serviceOf(channel)} />
      {serviceLabel(channel)}
      {children}
    </p>
  );
}
