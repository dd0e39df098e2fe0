import { type Static, type TObject, Type } from "@sinclair/typebox";
import { AppError } from "../../errors.ts";
import { type Plan, planLimits } from "../accounts/organization.ts";
import { RecordType } from "../checks/dns-record.ts";
import { hasRun } from "../heartbeats/cron.ts";
import { CronExpression, Host, HttpUrl, Timezone } from "../schemas/format.ts";
import { parse } from "../schemas/validation.ts";
import type { Status } from "./status.ts";

export const MONITOR_TYPES = ["HTTP", "TCP", "TLS", "DNS", "SCHEDULED"] as const;
export const MonitorType = Type.Union([
  Type.Literal("HTTP"),
  Type.Literal("TCP"),
  Type.Literal("TLS"),
  Type.Literal("DNS"),
  Type.Literal("SCHEDULED"),
]);
export type MonitorType = Static<typeof MonitorType>;

/** Those that we check; the others report to us. */
export type ProbedType = Exclude<MonitorType, "SCHEDULED">;

const Interval = Type.Integer({ minimum: 1, maximum: 86_400, description: "Seconds between two checks." });
const YEAR = 31_536_000;
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const Expected = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  minItems: 1,
  maxItems: 100,
  description: "The records that the answer must consist of, in any order.",
});
const only = (title: MonitorType) => ({ title, additionalProperties: false });

/** The config of each type as a request gives it (interface 2.2). */
export const monitorConfigs = {
  HTTP: Type.Object({ url: HttpUrl, interval: Interval }, only("HTTP")),
  TCP: Type.Object({ host: Host, port: Port, interval: Interval }, only("TCP")),
  TLS: Type.Object({ host: Host, port: Type.Optional(Port), interval: Type.Optional(Interval) }, only("TLS")),
  DNS: Type.Object(
    {
      hostname: Host,
      interval: Type.Optional(Interval),
      recordType: Type.Optional(RecordType),
      expected: Type.Optional(Expected),
    },
    only("DNS"),
  ),
  SCHEDULED: Type.Object(
    {
      interval: Type.Optional(Type.Number({ description: "Stored as 300, whatever it is." })),
      cron: Type.Optional(CronExpression),
      timezone: Type.Optional(Timezone),
      period: Type.Optional(
        Type.Integer({ minimum: 10, maximum: YEAR, description: "Seconds from one run to the next." }),
      ),
      grace: Type.Optional(
        Type.Integer({ minimum: 0, maximum: YEAR, description: "Seconds that a run may be late." }),
      ),
    },
    only("SCHEDULED"),
  ),
} satisfies Record<MonitorType, TObject>;

/** A config as it is stored: with the fields that a request may leave out. */
export type MonitorConfig<T extends MonitorType = MonitorType> = {
  [One in T]: Static<(typeof monitorConfigs)[One]> & ReturnType<(typeof completions)[One]>;
}[T];

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

/** The interval where none is given, and the only one that a SCHEDULED monitor can have; seconds (interface 2.2). */
const DEFAULT_INTERVAL = 300;

/** What is stored of each type besides what the request gave (decisions 2, "Required config"). */
const completions = {
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
 * Checks a config against its type, and gives it the form in which it is stored.
 *
 * @param plan that of the organization: it tells the interval where none is given
 * @throws AppError `invalid` that names the field, as `config.port`.
 */
export function parseConfig<T extends MonitorType>(type: T, config: unknown, plan: Plan): MonitorConfig<T> {
  const parsed = parse(monitorConfigs[type], config, "config");
  if (type === "SCHEDULED") assertOneRhythm(parsed);
  if (type === "HTTP") assertPort(parsed as Static<typeof monitorConfigs.HTTP>);
  return { ...parsed, ...completions[type](parsed, plan) } as MonitorConfig<T>;
}

/** What no schema tells: a URL can name port 0, to which nothing can connect. */
function assertPort({ url }: Static<typeof monitorConfigs.HTTP>): void {
  if (new URL(url).port === "0") {
    throw new AppError("invalid", "config.url must have a port from 1 to 65535, got 0");
  }
}

/**
 * What no schema tells: a rhythm is set by cron or by period, and only cron has a time zone (decisions 3), in which it
 * must come to run.
 */
function assertOneRhythm({ cron, timezone, period }: Static<typeof monitorConfigs.SCHEDULED>): void {
  if (cron !== undefined && period !== undefined) {
    throw new AppError("invalid", "config.period must be left out where config.cron is given");
  }
  if (timezone !== undefined && cron === undefined) {
    throw new AppError("invalid", "config.timezone must be left out where config.cron is not given");
  }
  if (cron !== undefined && timezone !== undefined && !hasRun({ cron, timezone })) {
    const why = "the clocks there always leave its times out";
    throw new AppError("invalid", `config.cron must come to run in ${timezone}: ${why}`);
  }
}

function defaultInterval(plan: Plan): number {
  return Math.max(DEFAULT_INTERVAL, planLimits[plan].minimumInterval);
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
