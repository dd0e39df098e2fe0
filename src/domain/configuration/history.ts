import { type Static, Type } from "@sinclair/typebox";
import { parseTime } from "../iso-time.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { closed, described, mapOf } from "../schemas/schema.ts";
import { type Fault, schemaFaults } from "./fault.ts";

/** The most days of history that a document may have for a monitor. */
const MAX_DAYS = 400;

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** The results of one day. */
export const DayCounts = Type.Object(
  {
    up: Type.Optional(described(Count, "How many checks were good.")),
    down: Type.Optional(described(Count, "How many checks were bad.")),
    latency: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 3_600_000,
        description: "The mean latency of the good checks, in milliseconds.",
      }),
    ),
  },
  closed,
);
export type DayCounts = Static<typeof DayCounts>;

/** Behavior 16.45. */
export const History = mapOf(mapOf(DayCounts), {
  description:
    "The past of new monitors, for a move from another product: by ref and UTC day. It is taken only when the same document " +
    "creates the monitor.",
  examples: [{ shop: { "2026-11-20": { up: 1437, down: 3, latency: 120 } } }],
});
export type History = Static<typeof History>;

/** The results of one day of a new monitor. @property day its start in UTC, in milliseconds since 1970 @property latency null if it is not known */
export interface NewDay {
  day: number;
  up: number;
  down: number;
  latency: number | null;
}
export type NewHistory = NewDay[];

/** @param at the path of the days @returns the days that are valid, oldest first */
export function parseDays(days: unknown, at: string, faults: Fault[]): NewHistory {
  const wrong = schemaFaults(mapOf(DayCounts, { maxProperties: MAX_DAYS }), days, at);
  if (wrong.length > 0) {
    faults.push(...wrong);
    return [];
  }
  const parsed: NewHistory = [];
  for (const [name, { up = 0, down = 0, latency = null }] of Object.entries(days as History[string])) {
    const day = DAY.test(name) ? parseTime(`${name}T00:00:00Z`) : null;
    if (day === null)
      faults.push({ path: `${at}.${name}`, message: "must be named by a day, such as 2026-11-20" });
    else if (up + down > 0) parsed.push({ day, up, down, latency });
  }
  return parsed.toSorted((one, other) => one.day - other.day);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Faults for days that have not begun. @param now milliseconds since 1970 */
export function historyFaults(history: ReadonlyMap<string, NewHistory>, now: number): Fault[] {
  return [...history].flatMap(([ref, days]) =>
    days.flatMap(({ day }) => {
      const path = `${fieldOf("history", ref)}.${new Date(day).toISOString().slice(0, 10)}`;
      return day > now ? [{ path, message: "must not be in the future" }] : [];
    }),
  );
}
