import { type Static, Type } from "@sinclair/typebox";
import { fault } from "../../faults/fault.ts";
import { hasRun } from "../../heartbeats/cron.ts";
import { CronExpression, Timezone } from "../../schemas/format.ts";
import { MASK } from "../../schemas/mask.ts";
import { described, named, oneOf } from "../../schemas/schema.ts";
import { PushToken, pushTokenOf } from "../push-token.ts";
import { DEFAULT_INTERVAL, type Entry, isObject } from "./fields.ts";

const YEAR = 31_536_000;
const WEEK = 604_800;

/** The answers to a run that starts while another one is open (behavior 18.20). */
const OVERLAP = ["allow", "fail"] as const;
export const config = Type.Object(
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
);

export function defaults() {
  return { interval: DEFAULT_INTERVAL };
}

/**
 * Not in the schema: `cron` and `period` exclude each other, and `timezone` needs a `cron` that runs (behavior 3.11
 * to 3.13).
 */
export function assertRules({ cron, timezone, period }: Static<typeof config>): void {
  if (cron !== undefined && period !== undefined) {
    throw fault("leaveOutIfSet", { field: "config.period", other: "config.cron" });
  }
  if (timezone !== undefined && cron === undefined) {
    throw fault("timezoneWithoutCron", { field: "config.timezone" });
  }
  if (cron !== undefined && timezone !== undefined && !hasRun({ cron, timezone })) {
    throw fault("cronWithoutRun", { field: "config.cron", timezone });
  }
}

/**
 * Replaces `•••` as the push token in a submitted config of a SCHEDULED monitor by the stored one (behavior 16.131).
 *
 * @throws AppError `invalid` if none is stored
 */
export function restore(config: unknown, stored: object | undefined): unknown {
  if (!isObject(config) || config.pushToken !== MASK) return config;
  const pushToken = stored && pushTokenOf(stored);
  if (!pushToken) throw fault("secretNotStored", { field: "config.pushToken" });
  return { ...config, pushToken };
}

export const forms = {
  SCHEDULED: [
    {
      radio: "schedule",
      options: [
        { value: "learned", entries: [] },
        { value: "period", entries: [{ name: "period", kind: "duration", isRequired: true }] },
        {
          value: "cron",
          entries: [
            {
              beside: "pair",
              fields: [
                { name: "cron", example: "30 2 * * 1-5", isRequired: true },
                { name: "timezone", example: "UTC" },
              ],
            },
          ],
        },
      ],
    },
    {
      section: "runs",
      entries: [
        { name: "grace", kind: "duration" },
        { name: "maxRunTime", kind: "duration" },
        { name: "overlap", kind: "choice", choices: [{}, { value: "fail" }] },
      ],
    },
  ],
} satisfies Record<string, readonly Entry[]>;
