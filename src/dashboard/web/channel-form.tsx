import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { ChannelType } from "../../domain/channel.ts";
import { ask, type Channel } from "./api.ts";
import { Field, focusWrong, type Refused, refusedBy, textOf } from "./fields.tsx";
import { View } from "./parts.tsx";
import { useMay } from "./session.tsx";
import { CHANNEL_TYPES, channelTypeWords } from "./words.ts";

interface ConfigField {
  name: string;
  label: string;
  hint?: string;
}

const webhookUrl = { name: "webhookUrl", label: "Webhook URL" };

const fields: Record<ChannelType, ConfigField[]> = {
  SLACK: [{ ...webhookUrl, hint: "An incoming webhook: https://hooks.slack.com/…" }],
  DISCORD: [{ ...webhookUrl, hint: "Of the channel’s settings: https://discord.com/api/webhooks/…" }],
  TEAMS: [{ ...webhookUrl, hint: "Of a workflow “When a webhook request is received”." }],
  EMAIL: [{ name: "to", label: "Address", hint: "The server needs --smtp-url and --smtp-from." }],
  WEBHOOK: [
    { name: "url", label: "URL" },
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
  const [refused, setRefused] = useState<Refused | null>(null);
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const mayWrite = useMay("admin");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const config = fields[type].flatMap(({ name }) => {
      const value = textOf(data, `config.${name}`);
      return value === undefined ? [] : [[name, value]];
    });
    const values = {
      name: textOf(data, "name") ?? "",
      config: Object.fromEntries(config),
      notifyOn: data.getAll("notifyOn"),
    };
    setBusy(true);
    try {
      const saved = channel
        ? await ask<Channel>("PATCH", `/alerts/${channel.id}`, values)
        : await ask<Channel>("POST", "/alerts", { ...values, type });
      await queries.invalidateQueries({ queryKey: ["channels"] });
      onDone?.();
      go(`/channels/${saved.id}`);
    } catch (error) {
      setRefused(refusedBy(error, ["name", "notifyOn", ...fields[type].map(({ name }) => `config.${name}`)]));
      focusWrong(form);
      setBusy(false);
    }
  };
  const title = channel ? `Edit ${channel.name}` : "New channel";
  if (!mayWrite) {
    return (
      <View title={title}>
        <p>Only an admin or owner may do this.</p>
      </View>
    );
  }
  return (
    <View title={title}>
      <form className="form card" onSubmit={submit} noValidate>
        {!channel && (
          <fieldset className="types">
            <legend>Where it goes</legend>
            {CHANNEL_TYPES.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="type"
                  value={one}
                  checked={one === type}
                  onChange={() => setType(one)}
                />
                <span>
                  <b>{channelTypeWords[one]}</b>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <Field name="name" label="Name" refused={refused}>
          {(props) => <input {...props} defaultValue={channel?.name} autoComplete="off" />}
        </Field>
        {fields[type].map(({ name, label, hint }) => (
          <Field key={type + name} name={`config.${name}`} label={label} hint={hint} refused={refused}>
            {(props) => (
              <input
                {...props}
                defaultValue={String(channel?.config[name] ?? "")}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
        ))}
        <fieldset className="ticks">
          <legend>It is told when a monitor …</legend>
          {groups.map(([group, words]) => (
            <label key={group}>
              <input
                type="checkbox"
                name="notifyOn"
                value={group}
                defaultChecked={channel?.notifyOn.includes(group) ?? true}
              />
              {words}
            </label>
          ))}
        </fieldset>
        {refused && (refused.field === null || refused.field === "notifyOn") && (
          <p className="failure" role="alert">
            {refused.field === "notifyOn" ? "Tick going down or getting a warning at least." : refused.words}
          </p>
        )}
        <div className="actions">
          <button type="submit" className="primary" disabled={busy}>
            {channel ? "Save" : "Create channel"}
          </button>
          <button type="button" onClick={() => (onDone ? onDone() : go("/channels"))}>
            Cancel
          </button>
        </div>
      </form>
    </View>
  );
}
