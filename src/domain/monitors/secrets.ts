import { AppError } from "../../errors.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { MASK } from "../schemas/mask.ts";
import { changesHost } from "../schemas/request-headers.ts";
import type { HttpConfig } from "./http-config.ts";
import type { MonitorConfig } from "./monitor.ts";
import { pushTokenOf } from "./push-token.ts";

/** A config for a response: each secret is `•••` (behavior 10.27). A config without secrets is returned itself. */
export function maskSecrets(config: MonitorConfig): MonitorConfig {
  if ("pushToken" in config) return { ...config, pushToken: MASK };
  if (!("url" in config)) return config;
  const { headers, basicAuth } = config;
  if (!headers && !basicAuth) return config;
  return {
    ...config,
    ...(headers && { headers: mapFields(headers, () => MASK) }),
    ...(basicAuth && { basicAuth: { ...basicAuth, password: MASK } }),
  };
}

/** A config for a notification, which contains no body either (behavior 10.26). */
export function maskRequest(config: MonitorConfig): MonitorConfig {
  const masked = maskSecrets(config);
  return "body" in masked ? { ...masked, body: MASK } : masked;
}

/**
 * Replaces each `•••` in a submitted config of an HTTP monitor by the stored secret (behavior 10.28). The config is not
 * validated yet.
 *
 * @param stored nothing if the monitor does not exist yet
 * @throws AppError `invalid` if a secret is not stored, or if the origin of the URL or the header `Host` changes
 */
export function restoreSecrets(config: unknown, stored: MonitorConfig | undefined): unknown {
  if (!isObject(config)) return config;
  const known = stored && "url" in stored ? stored : undefined;
  const restored = (value: unknown, secret: string | undefined, field: string): unknown => {
    if (value !== MASK) return value;
    if (secret === undefined) throw missing(field, "none is stored");
    if (isOtherOrigin(config.url, known?.url)) throw missing(field, "the origin of config.url changes");
    if (changesHost(config.headers, known?.headers)) throw missing(field, "the header Host changes");
    return secret;
  };
  const { headers, basicAuth } = config;
  return {
    ...config,
    ...(isObject(headers) && {
      headers: mapFields(headers, (value, name) =>
        restored(value, headerOf(known, name), fieldOf("config.headers", name)),
      ),
    }),
    ...(isObject(basicAuth) && {
      basicAuth: mapFields(basicAuth, (value, name) =>
        name === "password"
          ? restored(value, known?.basicAuth?.password, "config.basicAuth.password")
          : value,
      ),
    }),
  };
}

/**
 * Replaces `•••` as the push token in a submitted config of a SCHEDULED monitor by the stored one (behavior 16.131).
 *
 * @throws AppError `invalid` if none is stored
 */
export function restorePushToken(config: unknown, stored: MonitorConfig | undefined): unknown {
  if (!isObject(config) || config.pushToken !== MASK) return config;
  const pushToken = stored && pushTokenOf(stored);
  if (!pushToken) throw missing("config.pushToken", "none is stored");
  return { ...config, pushToken };
}

function missing(field: string, why: string): AppError {
  return new AppError("invalid", `${field} must be sent with its value: ${why}`);
}

/** An invalid URL is no other origin: its own error is reported later. */
function isOtherOrigin(url: unknown, stored: string | undefined): boolean {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed !== null && stored !== undefined && parsed.origin !== new URL(stored).origin;
}

/** The value of a header, whose name ignores case. */
function headerOf(config: HttpConfig | undefined, name: string): string | undefined {
  return Object.entries(config?.headers ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

function mapFields<From, To>(
  fields: Record<string, From>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
