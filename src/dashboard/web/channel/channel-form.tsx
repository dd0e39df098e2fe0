import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { CHANNEL_TYPES, type ChannelType } from "../../../domain/alerts/channel.ts";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { api, type Channel, type Config, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { CheckList } from "../form/check-list.tsx";
import { NameField, TextField } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { checkedValues, textOf } from "../form/form-values.ts";
import { FormView } from "../form/form-view.tsx";
import { TypePicker } from "../form/type-picker.tsx";
import { channelFaults } from "../form/validation.ts";
import { channelFields, channelTypeLabels } from "./channel-types.ts";

/** Creates a channel, or edits one. */
export function ChannelForm({ channel, onDone }: { channel?: Channel; onDone?: () => void }) {
  const [type, setType] = useState<ChannelType>(channel?.type ?? "SLACK");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const save = async (data: FormData) => {
    const values = valuesOf(type, data);
    const saved = channel
      ? await getData(api.alerts({ id: channel.id }).patch(values))
      : await getData(api.alerts.post({ ...values, type }));
    await queries.invalidateQueries({ queryKey: queryKeys.channels });
    if (onDone) onDone();
    else navigate(`/channels/${saved.id}`, { replace: true });
  };
  return (
    <FormView
      noun="channel"
      name={channel?.name}
      check={(data) => channelFaults(type, valuesOf(type, data))}
      onSubmit={save}
      cancel={
        <button type="button" onClick={() => (onDone ? onDone() : navigate("/channels"))}>
          Cancel
        </button>
      }
    >
      {!channel && (
        <TypePicker
          legend="Service"
          options={CHANNEL_TYPES.map((one) => ({ type: one, label: channelTypeLabels[one] }))}
          value={type}
          onChange={setType}
        />
      )}
      <NameField value={channel?.name} />
      <ConfigFields type={type} config={{ ...channel?.config }} />
      <NotifyOnPicker notifyOn={channel?.notifyOn} />
    </FormView>
  );
}

function ConfigFields({ type, config }: { type: ChannelType; config: Config }) {
  return channelFields[type].map(({ name, ...field }) => (
    <TextField key={type + name} name={`config.${name}`} value={config[name]} {...field} />
  ));
}

/** The values in the form, as the API accepts them. */
function valuesOf(type: ChannelType, data: FormData) {
  const config = channelFields[type].map(({ name }) => [name, textOf(data, `config.${name}`)] as const);
  return {
    name: textOf(data, "name") ?? "",
    config: Object.fromEntries(config.filter(([, value]) => value !== undefined)),
    notifyOn: checkedValues(data, "notifyOn") as NotifyOn,
  };
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
