import { type ChannelType, parseChannelConfig } from "../../domain/alerts/channel.ts";
import { createRefNames, literal } from "../../domain/configuration/placeholder.ts";
import { isSet, numberOf, omitUnknown } from "../api-answers.ts";
import { faultIn } from "../checked.ts";
import { clamp, named, type Report, type ReportOmission, recordOf, textOf } from "../imported.ts";
import { type Secrets, writeChannelConfig } from "../output-config.ts";
import type { GivenMonitor } from "./given.ts";

type Entry = Record<string, unknown>;

/** A channel with the texts of UptimeRobot, and what of it is different. */
interface MappedChannel {
  type: ChannelType;
  config: Entry;
  /** The options that UptimeRobot does not say. */
  unknown?: string[];
  note?: string;
}

const FIELDS = new Set([
  ...["id", "friendlyName", "name", "type", "status", "value", "customValue", "customValue2", "customValue3"],
  ...["customValue4", "customHeaders", "enableNotificationsFor", "webhookURL", "threshold", "recurrence"],
  ...["sslExpirationReminder", "orgAlertContactId", "mobileProviderId", "authType", "httpUsername"],
  ...["httpPassword", "config"],
]);

const BODY = "it receives the JSON of stillup, which has other fields";

/** By the type, in lower case and without marks. */
const TYPES: Record<string, (contact: Contact) => MappedChannel> = {
  email: ({ value }) => ({ type: "EMAIL", config: { to: value } }),
  slack: ({ value }) =>
    URL.parse(value)?.origin === "https://hooks.slack.com"
      ? { type: "SLACK", config: { webhookUrl: value } }
      : service("custom", { url: value, options: { body: '{"text":"{{text}}"}' } }),
  discord: ({ value }) => ({ type: "DISCORD", config: { webhookUrl: value } }),
  msteams: ({ value }) => ({ type: "TEAMS", config: { webhookUrl: value } }),
  googlechat: ({ value }) => service("googlechat", { url: value }),
  mattermost: ({ value }) => service("mattermost", { url: value }),
  webhook: ({ value, headers }) => ({
    ...{ type: "WEBHOOK", note: BODY },
    config: { url: value, ...(Object.keys(headers).length > 0 && { headers }) },
  }),
  zapier: ({ value }) => ({ type: "WEBHOOK", config: { url: value }, note: BODY }),
  pagerduty: ({ value, custom }) =>
    service("pagerduty", {
      url: `https://events${/^"?eu"?$/i.test(custom) ? ".eu" : ""}.pagerduty.com`,
      options: { routingKey: value },
    }),
  pushover: ({ value, custom }) => ({
    ...service("pushover", {
      url: "https://api.pushover.net",
      options: { user: value, ...(custom !== "" && { device: custom }) },
    }),
    ...{ unknown: ["token"], note: "UptimeRobot sends by an application of its own: create one" },
  }),
  telegram: telegram,
};

function service(format: string, config: Entry): MappedChannel {
  return { type: "WEBHOOK", config: { format, ...config } };
}

/** The bot often belongs to UptimeRobot, whose API does not say its token. */
function telegram({ value, custom }: Contact): MappedChannel {
  const url = "https://api.telegram.org";
  if (/^\d+:[\w-]+$/.test(value))
    return service("telegram", { url, options: { token: value, chatId: custom } });
  const chatId = /^-?\d+$/.test(custom) ? custom : value;
  const note = "UptimeRobot sends by a bot of its own: create one, and add it to the chat";
  return { ...service("telegram", { url, options: { chatId } }), unknown: ["token"], note };
}

interface Contact {
  value: string;
  custom: string;
  headers: Record<string, string>;
}

export interface Channels {
  entries: Record<string, Entry>;
  /** The fields of a monitor that say whom it notifies. */
  fieldsOf(monitor: GivenMonitor, omit: ReportOmission): Entry;
}

/** The channels for alert contacts and integrations (behavior 16.128). */
export function channelsOf(
  contacts: readonly Entry[],
  { secrets, report }: { secrets: Secrets; report: Report },
): Channels {
  const refOf = createRefNames("channel");
  const entries: Channels["entries"] = {};
  const refs = new Map<string, string>();
  for (const contact of contacts) {
    const id = textOf(contact.id) ?? "";
    const name = (textOf(contact.friendlyName) ?? textOf(contact.value))?.trim() || `contact ${id}`;
    const label = named("alert contact", name);
    const omit: ReportOmission = (part, why) => report.omit(`${label}, ${part}`, why);
    const channel = mapped(contact, (why) => report.omit(label, why));
    const fault = channel && faultOf(channel);
    if (fault !== undefined) report.omit(label, fault);
    if (!channel || fault !== undefined) continue;
    const ref = refOf(name);
    omitParts(contact, omit);
    if (channel.note !== undefined) report.note(`${label}: ${channel.note}`);
    entries[ref] = {
      ...(name !== ref && { name: literal(name) }),
      ...entryOf(channel, { ref, secrets }),
      ...notifyOf(contact, omit),
    };
    refs.set(id, ref);
  }
  return { entries, fieldsOf: (monitor, omit) => bindingsOf(monitor, { refs, omit }) };
}

function mapped(contact: Entry, refuse: (why: string) => void): MappedChannel | undefined {
  const type = (textOf(contact.type) ?? "").toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const map = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const value = textOf(contact.value ?? contact.webhookURL)?.trim() ?? "";
  const shown = (textOf(contact.type) ?? "").slice(0, 40);
  if (!map) refuse(`stillup has no channels of the type ${JSON.stringify(shown)}`);
  else if (value === "") refuse("the file does not say where it sends to");
  else
    return map({
      value,
      custom: textOf(contact.customValue) ?? "",
      headers: textsIn(contact.customHeaders),
    });
  return undefined;
}

function textsIn(given: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recordOf(given)).map(([name, value]) => [name, textOf(value) ?? ""]),
  );
}

/** Why stillup would refuse a channel with a placeholder, which is not judged later. */
function faultOf({ type, config, unknown = [] }: MappedChannel): string | undefined {
  if (unknown.length === 0) return undefined;
  const options = Object.fromEntries(unknown.map((option) => [option, "1:a"]));
  return faultIn(() =>
    parseChannelConfig(type, { ...config, options: { ...options, ...recordOf(config.options) } }),
  );
}

function entryOf(
  { type, config, unknown = [] }: MappedChannel,
  { ref, secrets }: { ref: string; secrets: Secrets },
): Entry {
  const written = writeChannelConfig(config, { type, ref, secrets });
  if (unknown.length === 0) return { type, config: written };
  const format = textOf(config.format) ?? "";
  const options = Object.fromEntries(
    unknown.map((option) => [option, secrets.unknown(format === ref ? "" : format, ref, option)]),
  );
  return { type, config: { ...written, options: { ...options, ...recordOf(written.options) } } };
}

/** The types whose `customValue` is taken over, or only says what is sent. */
const CUSTOM = ["telegram", "pushover", "pagerduty", "webhook"];

function omitParts(contact: Entry, omit: ReportOmission): void {
  omitUnknown(contact, FIELDS, omit);
  const type = (textOf(contact.type) ?? "").toLowerCase();
  if (isSet(contact.customValue) && !CUSTOM.includes(type))
    omit("customValue", "stillup writes the message, and the webhook decides its channel");
  if (isSet(contact.httpUsername)) omit("httpUsername", "give a header Authorization to the channel");
  if (type !== "webhook" && isSet(contact.customHeaders)) omit("customHeaders", "only a webhook has headers");
}

/** A contact that is not active is disabled. */
function notifyOf({ status, enableNotificationsFor }: Entry, omit: ReportOmission): Entry {
  const words = (textOf(enableNotificationsFor) ?? "").toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const isActive = !isSet(status) || /^(active|2|enabled)$/i.test(textOf(status) ?? "");
  const isSilent = words === "none" || words === "4";
  if (!isActive) omit("status", `it is ${textOf(status)}: the channel is disabled`);
  if (words === "up" || words === "3")
    omit(
      "enableNotificationsFor",
      "a channel is notified of recoveries only after it was notified of trouble: it is disabled",
    );
  const isDisabled = !isActive || isSilent || words === "up" || words === "3";
  return {
    ...((words === "down" || words === "2") && { notifyOn: ["down", "warning"] }),
    ...(isDisabled && { enabled: false }),
  };
}

const MAX_AFTER = 86_400;
const MIN_EVERY = 300;
const MAX_EVERY = 604_800;

function bindingsOf(
  { contacts }: GivenMonitor,
  { refs, omit }: { refs: ReadonlyMap<string, string>; omit: ReportOmission },
): Entry {
  if (!contacts || (refs.size === 0 && contacts.length > 0)) return {};
  const byRef = new Map(contacts.map((contact) => [refs.get(contact.id), contact]));
  const known = [...byRef].flatMap(([alertChannelId, contact]) =>
    alertChannelId === undefined ? [] : [{ alertChannelId, ...contact }],
  );
  if (known.length === 0 && contacts.length > 0)
    omit("alert contacts", `none was taken over of ${contacts.length}: it notifies nobody`);
  const bindings = known.map(({ alertChannelId, threshold, recurrence }) => ({
    alertChannelId,
    ...secondsOf("after", threshold, { least: 0, most: MAX_AFTER, omit }),
    ...secondsOf("every", recurrence, { least: MIN_EVERY, most: MAX_EVERY, omit }),
  }));
  return bindings.some((binding) => Object.keys(binding).length > 1)
    ? { alertBindings: bindings }
    : { alertChannelIds: bindings.map(({ alertChannelId }) => alertChannelId) };
}

/** 0 minutes are none. */
function secondsOf(
  field: "after" | "every",
  minutes: number,
  { least, most, omit }: { least: number; most: number; omit: ReportOmission },
): Entry {
  const wanted = (numberOf(minutes) ?? 0) * 60;
  if (wanted <= 0) return {};
  const seconds = clamp(least, Math.round(wanted), most);
  if (seconds !== wanted)
    omit(field === "after" ? "threshold" : "recurrence", `it is ${wanted} s; it is ${seconds} s here`);
  return { [field]: seconds };
}
