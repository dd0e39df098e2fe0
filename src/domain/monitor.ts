import { type Static, type TObject, Type } from "@sinclair/typebox";
import { AppError } from "../errors.ts";
import { CronExpression, Host, HttpUrl, Timezone } from "./format.ts";
import { type Plan, planLimits } from "./organization.ts";
import type { Status } from "./status.ts";
import { parse } from "./validation.ts";

export const MONITOR_TYPES = ["HTTP", "TCP", "SCHEDULED"] as const;
export const MonitorType = Type.Union([Type.Literal("HTTP"), Type.Literal("TCP"), Type.Literal("SCHEDULED")]);
export type MonitorType = Static<typeof MonitorType>;

/** Those that we check; the others report to us. */
export type ProbedType = Exclude<MonitorType, "SCHEDULED">;

const Interval = Type.Integer({ minimum: 1, maximum: 86_400, description: "Seconds between two checks." });
const YEAR = 31_536_000;
const closed = { additionalProperties: false };

/** The config of each type as a request gives it (interface 2.2). */
export const monitorConfigs = {
  HTTP: Type.Object({ url: HttpUrl, interval: Interval }, closed),
  TCP: Type.Object(
    { host: Host, port: Type.Integer({ minimum: 1, maximum: 65_535 }), interval: Interval },
    closed,
  ),
  SCHEDULED: Type.Object(
    {
      interval: Type.Optional(Type.Number()),
      cron: Type.Optional(CronExpression),
      timezone: Type.Optional(Timezone),
      period: Type.Optional(Type.Integer({ minimum: 10, maximum: YEAR, description: "Seconds." })),
      grace: Type.Optional(Type.Integer({ minimum: 0, maximum: YEAR, description: "Seconds." })),
    },
    closed,
  ),
} satisfies Record<MonitorType, TObject>;

export type MonitorConfig<T extends MonitorType = MonitorType> = Static<(typeof monitorConfigs)[T]>;

export interface Monitor {
  id: string;
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  status: Status;
  enabled: boolean;
  /** Milliseconds since 1970, like every time inside. */
  createdAt: number;
  updatedAt: number;
}

/** The only interval a SCHEDULED monitor can have, in seconds (interface 2.2). */
const SCHEDULED_INTERVAL = 300;

/**
 * Checks a config against its type, and gives it the form in which it is stored.
 *
 * @throws AppError `invalid` that names the field, as `config.port`.
 */
export function parseConfig(type: MonitorType, config: unknown): MonitorConfig {
  if (type === "SCHEDULED") return parseScheduled(config);
  return parse(monitorConfigs[type], config, "config");
}

function parseScheduled(config: unknown): MonitorConfig<"SCHEDULED"> {
  const parsed = parse(monitorConfigs.SCHEDULED, config, "config");
  if (parsed.cron !== undefined && parsed.period !== undefined)
    throw new AppError("invalid", "config.period must be left out where config.cron is given");
  if (parsed.timezone !== undefined && parsed.cron === undefined)
    throw new AppError("invalid", "config.timezone must be left out where config.cron is not given");
  return { ...parsed, interval: SCHEDULED_INTERVAL };
}

/**
 * Refuses a config whose interval the plan does not allow (interface 4.2 rule 9). It looks at nothing but the
 * interval, so that it can stand before the rest of the config is judged.
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
