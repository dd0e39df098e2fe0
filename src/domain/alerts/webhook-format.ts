import { type Static, type TObject, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { fault } from "../faults/fault.ts";
import { assertRequestHeaders } from "../monitors/header-rules.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { HttpUrl } from "../schemas/format.ts";
import { RequestHeaders } from "../schemas/request-headers.ts";
import { closed, type FormatRule, named } from "../schemas/schema.ts";
import { type Declarations, declarations, WEBHOOK_FORMATS, type WebhookFormat } from "./services/registry.ts";
import type { Declaration, OptionsSchema, ServiceConfig } from "./services/service.ts";
import { WebhookSecret, webhookRules } from "./webhook-rules.ts";

export { WEBHOOK_FORMATS, type WebhookFormat };

/** The declaration of each format. */
export const declarationOf: Readonly<Record<WebhookFormat, Declaration>> = declarations;

const shared = { headers: Type.Optional(RequestHeaders) };

/** For example `NtfyOptions` of `ntfy`. */
function nameOf(format: WebhookFormat, part: string) {
  return named(`${format.charAt(0).toUpperCase()}${format.slice(1)}${part}`);
}

/** The schema of the `options` of a format (behavior 16.141). */
export function optionsOf<F extends WebhookFormat>(format: F): OptionsSchema<Declarations[F]> {
  const options = Object.entries(declarationOf[format].options);
  const schemas = Object.fromEntries(options.map(([name, { schema }]) => [name, schema]));
  const schema: TObject = Type.Object(schemas, options.length > 0 ? nameOf(format, "Options") : closed);
  return schema as OptionsSchema<Declarations[F]>;
}

const StandardConfig = Type.Object(
  {
    url: HttpUrl,
    format: Type.Optional(Type.Literal("standard")),
    secret: Type.Optional(WebhookSecret),
    ...shared,
  },
  named("WebhookConfig"),
);

/** Options that may all be left out may be left out together. */
function configSchema(format: WebhookFormat): TObject {
  if (format === "standard") return StandardConfig;
  const options: TObject = optionsOf(format);
  const mayLack = options.required === undefined && !declarationOf[format].needsOptions;
  return Type.Object(
    {
      url: HttpUrl,
      format: Type.Literal(format),
      options: mayLack ? Type.Optional(options) : options,
      ...shared,
    },
    nameOf(format, "WebhookConfig"),
  );
}

/** The `config` of a WEBHOOK channel, by its format (behavior 7.52, 16.140). */
export const webhookConfigs = Object.fromEntries(
  WEBHOOK_FORMATS.map((format) => [format, configSchema(format)]),
) as Record<WebhookFormat, TObject>;

type ConfigOf<F extends WebhookFormat> = F extends "standard"
  ? Static<typeof StandardConfig>
  : { format: F } & (F extends "custom"
      ? ServiceConfig<Declarations[F]>
      : object extends Static<OptionsSchema<Declarations[F]>>
        ? Partial<ServiceConfig<Declarations[F]>> & { url: string }
        : ServiceConfig<Declarations[F]>);

export type WebhookConfig<F extends WebhookFormat = WebhookFormat> = { [One in F]: ConfigOf<One> }[F];

/** The format of a config. A config without a format, or with an unknown format, counts as `standard`. */
export function formatOf(config: unknown): WebhookFormat {
  const { format } = (config ?? {}) as { format?: unknown };
  return WEBHOOK_FORMATS.find((known) => known === format) ?? "standard";
}

/** The names of the options that are secrets (behavior 16.142). */
export function secretOptions(format: WebhookFormat): string[] {
  const options = Object.entries(declarationOf[format].options);
  const rules: Record<string, FormatRule> = webhookRules;
  return options.flatMap(([name, { schema }]) => (rules[schema.format]?.isSecret ? [name] : []));
}

/**
 * Refuses a field that goes with other formats only, before the schema of the format reports it as unknown (behavior 16.140).
 * The config is not validated yet.
 */
export function assertFieldsOfFormat(config: unknown): void {
  const given = (config ?? {}) as { format?: unknown; secret?: unknown; options?: unknown };
  const format = formatOf(config);
  // An unknown format has its own error.
  if (given.format !== undefined && given.format !== format) return;
  if (format === "standard" && given.options !== undefined)
    throw invalid("config.options must be left out with the format standard");
  if (format !== "standard" && given.secret !== undefined)
    throw invalid(`config.secret must be left out with the format ${format}: only standard signs messages`);
}

/** Rules that a schema cannot express (behavior 16.143, 16.144, 16.155). */
export function assertWebhookConfig(config: WebhookConfig): void {
  const { headers = {} } = config;
  assertRequestHeaders(headers, "config.headers");
  const format = formatOf(config);
  const { ownHeaders = [], check } = declarationOf[format];
  const given = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]));
  const trailer = given.get("trailer");
  if (trailer !== undefined) throw fault("headerTrailer", { field: fieldOf("config.headers", trailer) });
  for (const own of ownHeaders) {
    const name = given.get(own);
    if (name !== undefined) throw fault("headerOfFormat", { field: fieldOf("config.headers", name), format });
  }
  check?.(config, (name) => given.has(name));
}

/** The key pair by which push services know this server (RFC 8292). It never leaves the server, except the public key. */
export interface PushKeys {
  /** An uncompressed point of P-256, 65 bytes. */
  publicKey: Uint8Array;
  /** 32 bytes. */
  privateKey: Uint8Array;
}

/** The content of a notification that the service worker of the page shows: see `dashboard/web/worker/service-worker.ts`. */
export interface PushPayload {
  title: string;
  body: string;
  /** The page of the outage, or of what the message is about. */
  link: string;
  /** A notification replaces the previous one with the same tag on the device. */
  tag?: string | undefined;
  /** The outage that the notification offers to acknowledge, and the monitor that it offers to mute. */
  trouble?: { outageId: string; monitorId: string } | undefined;
  /** The titles of its buttons, if they are not English. */
  buttons?: { acknowledge: string; mute: string } | undefined;
  /** Time of the event, milliseconds since 1970. */
  at: number;
}
