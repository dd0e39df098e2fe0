import type { TObject } from "@sinclair/typebox";
import type { ChannelType } from "../../../domain/alerts/channel.ts";
import { importNames } from "../../../domain/alerts/services/registry.ts";
import type { GatusNames } from "../../../domain/alerts/services/service.ts";
import {
  declarationOf,
  optionsOf,
  secretOptions,
  type WebhookFormat,
} from "../../../domain/alerts/webhook-format.ts";
import { clamp, listOf, type ReportOmission, recordOf, textOf } from "../../imported.ts";
import { type Environment, isPlainHeader, resolved } from "../../output-config.ts";
import { numberIn } from "../variables.ts";

/** By the placeholder of Gatus. */
const PLACEHOLDERS: Record<string, string> = {
  "[ENDPOINT_NAME]": "{{monitor.name}}",
  "[ALERT_TRIGGERED_OR_RESOLVED]": "{{status}}",
  "[ALERT_DESCRIPTION]": "{{text}}",
  "[RESULT_ERRORS]": "{{reason}}",
  "[RESULT_CONDITIONS]": "{{reason}}",
  "[ENDPOINT_URL]": "{{link}}",
  "[ENDPOINT_GROUP]": "",
};

/** Placeholders whose value here differs from the value in Gatus. */
const DIFFERENT: Record<string, string> = {
  "[ALERT_TRIGGERED_OR_RESOLVED]": "its value is the status, such as Down, not TRIGGERED or RESOLVED",
  "[ALERT_DESCRIPTION]": "it is the text of the notification",
  "[ENDPOINT_URL]": "it is the link to the outage",
  "[ENDPOINT_GROUP]": "a channel does not know the group: it is empty",
};

const METHODS = ["POST", "PUT", "GET"];

/** The provider `custom`: a request with placeholders. */
function customRequest(provider: Provider): ChannelDraft[] {
  const url = provider.text("url");
  if (url === undefined) return [];
  const method = (provider.text("method") ?? "GET").toUpperCase();
  if (!METHODS.includes(method)) {
    provider.omit("method", `a channel sends POST, PUT or GET, not ${method}`);
    return [];
  }
  if (provider.settings.placeholders !== undefined)
    provider.omit("placeholders", "a channel has no values of its own for placeholders");
  const config = {
    url: addressOf(url, provider),
    format: "custom",
    ...headersField(provider),
    options: { ...(method !== "POST" && { method }), ...bodyFields(method, provider) },
  };
  return [{ type: "WEBHOOK", config }];
}

/** An address is a secret, but not a template. */
function addressOf(url: string, provider: Provider): string {
  const template = translated(url, provider);
  return template === url ? provider.write(url, "url") : template;
}

function translated(text: string, { omit }: Provider): string {
  let result = text;
  for (const [theirs, ours] of Object.entries(PLACEHOLDERS)) {
    if (!result.includes(theirs)) continue;
    const why = DIFFERENT[theirs];
    if (why) omit(theirs, why);
    result = result.replaceAll(theirs, ours);
  }
  return result;
}

function headersField({ settings, write }: Provider): Record<string, unknown> {
  const headers = Object.entries(recordOf(settings.headers)).map(([name, value]) => {
    const text = textOf(value) ?? "";
    return [name, isPlainHeader(name) ? text : write(text, name)];
  });
  return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {};
}

function bodyFields(method: string, provider: Provider): Record<string, unknown> {
  const body = translated(provider.text("body") ?? "", provider);
  if (method === "GET") {
    if (body !== "") provider.omit("body", "a channel sends no body with GET");
    return {};
  }
  const hasType = Object.keys(recordOf(provider.settings.headers)).some(
    (name) => name.toLowerCase() === "content-type",
  );
  const isJson = /^\s*(\[|\{(?!\{))/.test(body);
  return { body: body || "{{text}}", ...(!hasType && !isJson && { contentType: "text/plain" }) };
}

/** A channel for a provider of Gatus. */
interface ChannelDraft {
  type: ChannelType;
  config: Record<string, unknown>;
}

/** The settings of a provider for one channel. */
interface Provider {
  text(name: string): string | undefined;
  /** A setting that is a secret, as the document writes it. @param field its name here */
  secret(name: string, field: string): string | undefined;
  /** Writes the value of a secret. */
  write(text: string, field: string): string;
  number(name: string, least: number, most: number): number | undefined;
  settings: Record<string, unknown>;
  env: Environment;
  omit: ReportOmission;
}

type Build = (provider: Provider) => ChannelDraft[];

/** By the name of the provider (behavior 16.114). An empty list: it lacks a required setting. */
export const providers: Record<string, Build> = {
  slack: (provider) => chat("SLACK", provider),
  discord: (provider) => chat("DISCORD", provider),
  teams: (provider) => chat("TEAMS", provider),
  "teams-workflows": (provider) => chat("TEAMS", provider),
  rocketchat: incomingWebhook,
  email,
  custom: (provider) => customRequest(provider),
  ...declaredProviders(),
  pushover: (provider) => {
    omitSettings(provider, ["title", "sound", "ttl", "resolved-priority"]);
    const priority = provider.number("priority", -2, 2);
    if (priority === 2) provider.omit("priority", "stillup sends at most priority 1");
    return format("pushover", {
      url: "https://api.pushover.net",
      options: {
        token: provider.secret("application-token", "token"),
        user: provider.secret("user-key", "user"),
        device: provider.text("device"),
      },
      optional: { priority: priority && clamp(-2, priority, 1) },
      required: ["token", "user"],
    });
  },
  signal: (provider) =>
    format("signal", {
      url: provider.text("api-url")?.replace(/\/v2\/send$/, ""),
      options: { number: provider.text("number"), recipients: recipientsOf(provider) },
      required: ["number", "recipients"],
    }),
};

/** The providers of which the declaration of the service has the names of the settings. */
function declaredProviders(): Record<string, Build> {
  const all = Object.entries(importNames).flatMap(([name, { gatus }]) =>
    gatus
      ? [[gatus.type, (provider: Provider) => declared(name as WebhookFormat, gatus, provider)] as const]
      : [],
  );
  return Object.fromEntries(all);
}

function declared(name: WebhookFormat, names: GatusNames, provider: Provider): ChannelDraft[] {
  omitSettings(provider, names.ignored ?? []);
  const { properties, required = [] }: TObject = optionsOf(name);
  const secrets = secretOptions(name);
  const read = (option: string, setting: string) => {
    const schema = properties[option];
    if (schema?.type === "integer") return provider.number(setting, schema.minimum, schema.maximum);
    return secrets.includes(option) ? provider.secret(setting, option) : provider.text(setting);
  };
  const options = Object.entries(names.options ?? {}).map(([option, setting]) => [
    option,
    read(option, setting),
  ]);
  return format(name, {
    url: serviceAddress(name, names, provider),
    options: Object.fromEntries(options),
    required,
  });
}

function serviceAddress(name: WebhookFormat, { url, prefix = "", usual }: GatusNames, provider: Provider) {
  const { url: field } = declarationOf[name];
  const given =
    url === undefined ? undefined : field.isSecret ? provider.secret(url, "url") : provider.text(url);
  return given === undefined ? (usual ?? field.usual) : prefix + given;
}

/** Settings that are not for a channel. */
const GENERAL = ["default-alert", "overrides", "group"];

function chat(type: "SLACK" | "DISCORD" | "TEAMS", provider: Provider): ChannelDraft[] {
  omitSettings(provider, ["title", "message-content"]);
  const address = provider.text("webhook-url");
  // Mattermost and others take the messages of Slack, but a SLACK channel has a fixed host.
  if (type === "SLACK" && address && isElsewhere(resolved(address, provider.env)))
    return incomingWebhook(provider);
  const webhookUrl = provider.secret("webhook-url", "webhookUrl");
  return webhookUrl === undefined ? [] : [{ type, config: { webhookUrl } }];
}

function isElsewhere(address: string): boolean {
  return /^https?:\/\/(?!hooks\.slack\.com\/)/.test(address);
}

/** The incoming webhooks of Rocket.Chat, and of others that take the messages of Slack, take a text. */
function incomingWebhook(provider: Provider): ChannelDraft[] {
  omitSettings(provider, ["channel"]);
  const url = provider.secret("webhook-url", "url");
  const options = { body: '{"text":"{{text}}"}' };
  return url === undefined ? [] : [{ type: "WEBHOOK", config: { url, format: "custom", options } }];
}

/** Gatus has its own mail server for each provider, stillup one for all. */
function email(provider: Provider): ChannelDraft[] {
  const addresses = provider.text("to")?.split(",") ?? [];
  const given = addresses.map((address) => address.trim()).filter(Boolean);
  if (provider.settings.host !== undefined)
    provider.omit("host", "the mail server is a setting of stillup: see --smtp-url and --smtp-from");
  return given.map((to): ChannelDraft => ({ type: "EMAIL", config: { to } }));
}

interface FormatParts {
  url: string | undefined;
  options?: Record<string, unknown>;
  optional?: Record<string, unknown>;
  /** Names of options. */
  required?: string[];
}

function format(
  name: string,
  { url, options = {}, optional = {}, required = [] }: FormatParts,
): ChannelDraft[] {
  if (url === undefined || required.some((option) => options[option] === undefined)) return [];
  const given = Object.entries({ ...options, ...optional }).filter(([, value]) => value !== undefined);
  const config = { url, format: name, ...(given.length > 0 && { options: Object.fromEntries(given) }) };
  return [{ type: "WEBHOOK", config }];
}

function recipientsOf({ settings }: Provider): string[] | undefined {
  const recipients = listOf(settings.recipients)
    .map(textOf)
    .filter((one) => one !== undefined);
  return recipients.length > 0 ? recipients : undefined;
}

function omitSettings(provider: Provider, names: string[]): void {
  for (const name of names)
    if (provider.settings[name] !== undefined) provider.omit(name, "stillup writes its own messages");
}

/** The settings of a channel: of the provider, replaced by settings of the group, then of the alert. */
export function mergedSettings(
  provider: Record<string, unknown>,
  group: string | undefined,
  override: Record<string, unknown>,
): Record<string, unknown> {
  const ofGroup = listOf(provider.overrides)
    .map(recordOf)
    .find((one) => textOf(one.group) === group && group !== undefined);
  const own = Object.entries({ ...provider, ...ofGroup, ...override }).filter(
    ([name]) => !GENERAL.includes(name),
  );
  return Object.fromEntries(own);
}

export function providerOf(
  settings: Record<string, unknown>,
  { env, omit, write }: Pick<Provider, "env" | "omit" | "write">,
): Provider {
  const text = (name: string) => textOf(settings[name]);
  return {
    ...{ settings, env, omit, text, write },
    secret(name, field) {
      const value = text(name);
      return value === undefined ? undefined : write(value, field);
    },
    number(name, least, most) {
      const given = text(name);
      const value = numberIn(given ?? "", env);
      if (value !== undefined && Number.isInteger(value) && value >= least && value <= most) return value;
      if (given !== undefined)
        omit(name, `it is no whole number from ${least} to ${most}, got ${JSON.stringify(given)}`);
      return undefined;
    },
  };
}
