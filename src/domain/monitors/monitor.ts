import { type Static, type TObject, Type } from "@sinclair/typebox";
import { AppError } from "../../errors.ts";
import { type Plan, planLimits } from "../accounts/organization.ts";
import { RecordType } from "../checks/dns-record.ts";
import { hasRun } from "../heartbeats/cron.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { CronExpression, Host, Timezone } from "../schemas/format.ts";
import { MASK } from "../schemas/mask.ts";
import { changesHost } from "../schemas/request-headers.ts";
import { described, named, oneOf } from "../schemas/schema.ts";
import { parse } from "../schemas/validation.ts";
import { MONITOR_TYPES } from "./kinds/kinds.ts";
import type { MonitorSettings } from "./monitor-update.ts";
import { PushToken, pushTokenOf } from "./push-token.ts";
import type { Status } from "./status.ts";
import { assertHttpConfig, assertTcpConfig, HttpConfig, Interval, TcpConfig } from "./tcp-config.ts";
import { assertTlsConfig, TlsConfig } from "./tls-config.ts";

export const MonitorType = oneOf(MONITOR_TYPES);
export type MonitorType = Static<typeof MonitorType>;
export type { ProbedType } from "./kinds/kinds.ts";

const YEAR = 31_536_000;
const WEEK = 604_800;

/** The answers to a run that starts while another one is open (behavior 18.20). */
const OVERLAP = ["allow", "fail"] as const;
const Expected = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  minItems: 1,
  maxItems: 100,
  description: "The records of the expected answer, in any order.",
});
const Servers = Type.Array(
  Type.String({ format: "dns-server", maxLength: 100, examples: ["192.0.2.53", "[2001:db8::53]:5353"] }),
  {
    minItems: 1,
    maxItems: 4,
    description: "The DNS servers to ask, in this order. Default: those of stillup.",
  },
);

/** The `config` of each type in a request (behavior 7.32). */
export const monitorConfigs = {
  HTTP: HttpConfig,
  TCP: TcpConfig,
  TLS: TlsConfig,
  DNS: Type.Object(
    {
      hostname: Host,
      interval: Type.Optional(Interval),
      recordType: Type.Optional(RecordType),
      expected: Type.Optional(Expected),
      servers: Type.Optional(Servers),
    },
    named("DnsConfig"),
  ),
  SCHEDULED: Type.Object(
    {
      interval: Type.Optional(Type.Number({ description: "Any number; stored as 300." })),
      cron: Type.Optional(CronExpression),
      timezone: Type.Optional(Timezone),
      period: Type.Optional(
        Type.Integer({ minimum: 10, maximum: YEAR, description: "Seconds from one run to the next." }),
      ),
      grace: Type.Optional(
        Type.Integer({ minimum: 0, maximum: YEAR, description: "Seconds that a run may be late." }),
      ),
      maxRunTime: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: WEEK,
          description: "Seconds that a run may take. Default: learned from the previous runs.",
        }),
      ),
      overlap: Type.Optional(
        described(oneOf(OVERLAP), "Whether a run may start while another one is open. Default: `allow`."),
      ),
      pushToken: Type.Optional(PushToken),
    },
    named("ScheduledConfig"),
  ),
} satisfies Record<MonitorType, TObject>;

/**
 * The `config` of any type. The schema only documents it: `parseConfig` validates it, because the type is in another
 * field.
 */
export const MonitorConfigSchema = Type.Object(
  {},
  { additionalProperties: true, anyOf: Object.values(monitorConfigs) },
);

/** A config as it is stored: with the defaults of the optional fields. */
export type MonitorConfig<T extends MonitorType = MonitorType> = {
  [One in T]: (One extends "TCP" ? TcpConfig : Static<(typeof monitorConfigs)[One]>) &
    ReturnType<(typeof defaults)[One]>;
}[T];

export interface Monitor extends MonitorSettings {
  id: string;
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  status: Status;
  enabled: boolean;
  /** The name under which a configuration file knows it; null if none does. */
  ref: string | null;
  /** Until when it was checked, if it is blind: see `checks/blindness.ts`. Null if it is not. */
  blindSince: number | null;
  /** Milliseconds since 1970, like every time in the domain. */
  createdAt: number;
  updatedAt: number;
}

/** The default interval, and the only one of SCHEDULED monitors (behavior 7.33, 7.34); seconds. */
const DEFAULT_INTERVAL = 300;

/** The fields that are stored in addition to the fields of the request (behavior 7.33, 7.34). */
const defaults = {
  HTTP: () => ({}),
  TCP: () => ({}),
  TLS: (given: { port?: number; interval?: number }, plan: Plan) => ({
    port: given.port ?? 443,
    interval: given.interval ?? defaultInterval(plan),
  }),
  DNS: (given: { interval?: number }, plan: Plan) => ({ interval: given.interval ?? defaultInterval(plan) }),
  SCHEDULED: () => ({ interval: DEFAULT_INTERVAL }),
} satisfies Record<MonitorType, (given: never, plan: Plan) => object>;

/**
 * Validates the config of a type, and completes it with the defaults that are stored.
 *
 * @param plan of the organization: the default interval depends on it
 * @param stored the config that it replaces, whose secrets it may keep (behavior 10.28)
 * @throws AppError `invalid` that names the field, for example `config.port`
 */
export function parseConfig<T extends MonitorType>(
  type: T,
  config: unknown,
  plan: Plan,
  stored?: MonitorConfig,
): MonitorConfig<T> {
  const parsed = parse(monitorConfigs[type], restoredConfig(type, config, stored), "config");
  assertConfigRules(type, parsed);
  return { ...parsed, ...defaults[type](parsed, plan) } as MonitorConfig<T>;
}

function restoredConfig(type: MonitorType, config: unknown, stored: MonitorConfig | undefined): unknown {
  if (type === "HTTP") return restoreSecrets(config, stored);
  return type === "SCHEDULED" ? restorePushToken(config, stored) : config;
}

/** @param config one that fits the schema of its type @throws AppError `invalid` that names the field */
export function assertConfigRules(type: MonitorType, config: object): void {
  rules[type]?.(config as never);
}

/** Rules that a schema cannot express. */
const rules: { [T in MonitorType]?: (config: Static<(typeof monitorConfigs)[T]>) => void } = {
  HTTP: assertHttpConfig,
  TCP: assertTcpConfig,
  TLS: assertTlsConfig,
  SCHEDULED: assertRhythm,
};

/**
 * Not in the schema: `cron` and `period` exclude each other, and `timezone` needs a `cron` that runs (behavior 3.11
 * to 3.13).
 */
function assertRhythm({ cron, timezone, period }: Static<typeof monitorConfigs.SCHEDULED>): void {
  if (cron !== undefined && period !== undefined) {
    throw new AppError("invalid", "config.period must be left out if config.cron is set");
  }
  if (timezone !== undefined && cron === undefined) {
    throw new AppError("invalid", "config.timezone must be left out if config.cron is not set");
  }
  if (cron !== undefined && timezone !== undefined && !hasRun({ cron, timezone })) {
    const why = "daylight saving time there skips each of its times";
    throw new AppError("invalid", `config.cron must have a run in ${timezone}: ${why}`);
  }
}

/** The fields of a stored config that has none of its own. */
export function defaultConfig(type: MonitorType, plan: Plan): object {
  return defaults[type]({} as never, plan);
}

function defaultInterval(plan: Plan): number {
  return Math.max(DEFAULT_INTERVAL, planLimits[plan].minimumInterval);
}

/**
 * Refuses an interval that is too short for the plan (behavior 7.10, 7.30). The other fields are not validated, so
 * that this check can run before `parseConfig`.
 *
 * @throws AppError `invalid`
 */
export function assertIntervalAllowed(plan: Plan, config: unknown): void {
  const interval = (config as { interval?: unknown } | null | undefined)?.interval;
  const { minimumInterval } = planLimits[plan];
  if (typeof interval !== "number" || interval >= minimumInterval) return;
  throw new AppError(
    "invalid",
    `config.interval of ${interval} s is not allowed on the ${plan} plan: it must be at least ${minimumInterval} s`,
    "interval_too_short",
  );
}

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
function restoreSecrets(config: unknown, stored: MonitorConfig | undefined): unknown {
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
function restorePushToken(config: unknown, stored: MonitorConfig | undefined): unknown {
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
