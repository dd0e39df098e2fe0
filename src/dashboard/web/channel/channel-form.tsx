import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ChannelType } from "../../../domain/alerts/channel.ts";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { api, ask, type Channel } from "../data/api.ts";
import { NameField, TextField } from "../form/fields.tsx";
import { useForm } from "../form/form.tsx";
import { textOf, ticked } from "../form/form-values.ts";
import { Editor } from "../form/form-view.tsx";
import { channelFaults } from "../form/validation.ts";
import { CHANNEL_TYPES, channelTypeWords } from "./channel-type.ts";

interface ConfigField {
  name: string;
  label: string;
  hint?: string;
  kind?: "url" | "email";
}

const webhookUrl = { name: "webhookUrl", label: "Webhook URL", kind: "url" } as const;

export const fields: Record<ChannelType, ConfigField[]> = {
  SLACK: [{ ...webhookUrl, hint: "An incoming webhook: https://hooks.slack.com/…" }],
  DISCORD: [{ ...webhookUrl, hint: "Of the channel’s settings: https://discord.com/api/webhooks/…" }],
  TEAMS: [{ ...webhookUrl, hint: "Of a workflow “When a webhook request is received”." }],
  EMAIL: [
    { name: "to", label: "Address", kind: "email", hint: "The server needs --smtp-url and --smtp-from." },
  ],
  WEBHOOK: [
    { name: "url", label: "URL", kind: "url" },
    { name: "secret", label: "Secret", hint: "Signs what is sent (Standard Webhooks). May be left empty." },
  ],
};

const groups = [
  ["down", "Goes down"],
  ["warning", "Gets a warning, such as degraded"],
  ["healthy", "Is healthy again"],
] as const;

/** Makes a channel, or changes one. */
export function ChannelForm({ channel, onDone }: { channel?: Channel; onDone?: () => void }) {
  const [type, setType] = useState<ChannelType>(channel?.type ?? "SLACK");
  const queries = useQueryClient();
  const [, go] = useLocation();
  const save = async (data: FormData) => {
    const values = valuesOf(type, data);
    const saved = channel
      ? await ask(api.alerts({ id: channel.id }).patch(values))
      : await ask(api.alerts.post({ ...values, type }));
    await queries.invalidateQueries({ queryKey: ["channels"] });
    if (onDone) onDone();
    else go(`/channels/${saved.id}`, { replace: true });
  };
  return (
    <Editor
      noun="channel"
      name={channel?.name}
      check={(data) => channelFaults(type, valuesOf(type, data))}
      onSubmit={save}
      cancel={
        <button type="button" onClick={() => (onDone ? onDone() : go("/channels"))}>
          Cancel
        </button>
      }
    >
      {!channel && <TypePicker type={type} onType={setType} />}
      <NameField value={channel?.name} />
      {fields[type].map(({ name, ...field }) => (
        <TextField key={type + name} name={`config.${name}`} value={configOf(channel)[name]} {...field} />
      ))}
      <Occasions notifyOn={channel?.notifyOn} />
    </Editor>
  );
}

function configOf(channel: Channel | undefined): Record<string, unknown> {
  return { ...channel?.config };
}

/** What a form holds, as the API takes it. */
function valuesOf(type: ChannelType, data: FormData) {
  const config = fields[type].map(({ name }) => [name, textOf(data, `config.${name}`)] as const);
  return {
    name: textOf(data, "name") ?? "",
    config: Object.fromEntries(config.filter(([, value]) => value !== undefined)),
    notifyOn: ticked(data, "notifyOn") as NotifyOn,
  };
}

function TypePicker({ type, onType }: { type: ChannelType; onType: (type: ChannelType) => void }) {
  return (
    <fieldset className="types">
      <legend>Where it goes</legend>
      {CHANNEL_TYPES.map((one) => (
        <label key={one}>
          <input type="radio" name="type" value={one} checked={one === type} onChange={() => onType(one)} />
          <span>
            <b>{channelTypeWords[one]}</b>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Occasions({ notifyOn }: { notifyOn: NotifyOn | undefined }) {
  const wrong = useForm().wrong.notifyOn !== undefined;
  return (
    <fieldset className="ticks" {...(wrong && { "aria-describedby": "occasions-error" })}>
      <legend>It is told when a monitor …</legend>
      {groups.map(([group, words]) => (
        <label key={group}>
          <input
            type="checkbox"
            name="notifyOn"
            value={group}
            defaultChecked={notifyOn?.includes(group) ?? true}
          />
          {words}
        </label>
      ))}
      {wrong && (
        <p className="error" id="occasions-error" role="alert">
          Tick going down or getting a warning at least.
        </p>
      )}
    </fieldset>
  );
}
