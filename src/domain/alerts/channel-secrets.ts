import { type AppError, invalid } from "../../errors.ts";
import { isObject } from "../canonical-json.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { MASK } from "../schemas/mask.ts";
import { changesHost } from "../schemas/request-headers.ts";
import type { ChannelConfig } from "./channel.ts";
import { formatOf, secretOptions, type WebhookConfig } from "./webhook-format.ts";

type Values = Record<string, unknown>;

/**
 * A config for a response: the values of headers and the secret options of a WEBHOOK channel are `•••` (behavior 16.142). A
 * config without them is returned itself.
 */
export function maskChannelSecrets(config: ChannelConfig): ChannelConfig {
  if (!("url" in config)) return config;
  const { headers, options } = config as { headers?: Values; options?: Values };
  const secret = new Set(secretOptions(formatOf(config)));
  if (!headers && secret.size === 0) return config;
  return {
    ...config,
    ...(headers && { headers: mapFields(headers, () => MASK) }),
    ...(options && { options: mapFields(options, (value, name) => (secret.has(name) ? MASK : value)) }),
  } as ChannelConfig;
}

/**
 * Replaces each `•••` in a submitted config of a WEBHOOK channel by the stored secret (behavior 16.142). The config is not
 * validated yet.
 *
 * @param stored nothing if the channel does not exist yet
 * @throws AppError `invalid` if a secret is not stored, or if the origin of the URL or the header `Host` changes
 */
export function restoreChannelSecrets(config: unknown, stored: ChannelConfig | undefined): unknown {
  if (!isObject(config)) return config;
  const known = stored && "url" in stored ? (stored as WebhookConfig) : undefined;
  const { headers, options } = config;
  const restored = (value: unknown, secret: unknown, field: string): unknown => {
    if (value !== MASK) return value;
    if (secret === undefined) throw missing(field, "none is stored");
    if (isOtherOrigin(config.url, known?.url)) throw missing(field, "the origin of config.url changes");
    if (changesHost(headers, known?.headers)) throw missing(field, "the header Host changes");
    return secret;
  };
  const secret = new Set(secretOptions(formatOf(config)));
  const storedOptions = optionsFor(formatOf(config), known);
  return {
    ...config,
    ...(isObject(headers) && {
      headers: mapFields(headers, (value, name) =>
        restored(value, headerOf(known?.headers, name), fieldOf("config.headers", name)),
      ),
    }),
    ...(isObject(options) && {
      options: mapFields(options, (value, name) =>
        secret.has(name) ? restored(value, storedOptions[name], fieldOf("config.options", name)) : value,
      ),
    }),
  };
}

/** A secret of one service is not sent to another one. */
function optionsFor(format: string, known: WebhookConfig | undefined): Values {
  if (!known || formatOf(known) !== format || !("options" in known)) return {};
  return { ...known.options };
}

function missing(field: string, why: string): AppError {
  return invalid(`${field} must be sent with its value: ${why}`);
}

/** An invalid URL is no other origin: its own error is reported later. */
function isOtherOrigin(url: unknown, stored: string | undefined): boolean {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed !== null && stored !== undefined && parsed.origin !== new URL(stored).origin;
}

/** The value of a header, whose name ignores case. */
function headerOf(headers: Record<string, string> | undefined, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

function mapFields(fields: Values, change: (value: unknown, name: string) => unknown): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}
