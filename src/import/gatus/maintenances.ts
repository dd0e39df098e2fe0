import { canonicalJson } from "../../domain/canonical-json.ts";
import { createRefNames } from "../../domain/configuration/placeholder.ts";
import { listOf, type ReportOmission, recordOf, textOf } from "../imported.ts";
import { type Environment, resolved } from "../output-config.ts";
import { booleanIn, durationIn } from "./variables.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const MIN = 60;
const MAX = 86_400;

/** The windows of Gatus as maintenances (behavior 16.116): each definition once, for all monitors that have it. */
export interface Maintenances {
  addGlobal(window: unknown): void;
  add(window: unknown, monitorRefs: string[]): void;
  /** By ref. */
  entries(): Record<string, Record<string, unknown>>;
}

interface Times {
  cron: string;
  timezone: string;
  duration: number;
}

export function createMaintenances(env: Environment, omit: ReportOmission): Maintenances {
  const known = new Map<string, { times: Times; monitorIds: string[] | null }>();

  function timesIn(window: unknown, what: string): Times | undefined {
    const fields = recordOf(window);
    if (Object.keys(fields).length === 0 || booleanIn(fields.enabled, env) === false) return undefined;
    const times = timesOf(fields, env);
    const length = (durationIn(fields.duration, env) ?? 0) / 1000;
    if (times && times.duration !== length)
      omit(`${what}, duration`, `it is ${length} s; it is ${times.duration} s here`);
    if (!times)
      omit(what, "it has no start such as 23:00, or no duration from 60 s to 24 h, or an unknown day");
    return times;
  }

  return {
    addGlobal(window) {
      const times = timesIn(window, "maintenance");
      if (times) known.set("all", { times, monitorIds: null });
    },
    add(window, monitorRefs) {
      const times = timesIn(window, `maintenance window of ${monitorRefs[0]}`);
      if (!times) return;
      const key = canonicalJson(times);
      const same = known.get(key) ?? { times, monitorIds: [] };
      same.monitorIds?.push(...monitorRefs);
      known.set(key, same);
    },
    entries() {
      const refOf = createRefNames("maintenance");
      return Object.fromEntries(
        [...known.values()].map(({ times, monitorIds }) => {
          const selector = monitorIds ? { monitorIds: [...new Set(monitorIds)] } : { all: true };
          return [refOf("maintenance"), { title: "Maintenance", selector, ...times }];
        }),
      );
    },
  };
}

function timesOf(fields: Record<string, unknown>, env: Environment): Times | undefined {
  const [, hours, minutes] =
    /^([01]\d|2[0-3]):([0-5]\d)$/.exec(resolved(textOf(fields.start) ?? "", env)) ?? [];
  const length = durationIn(fields.duration, env);
  const duration = length === undefined ? 0 : Math.round(length / 1000);
  const days = listOf(fields.every).map((day) => DAYS.indexOf(textOf(day) ?? ""));
  if (hours === undefined || duration < MIN || duration > MAX || days.includes(-1)) return undefined;
  const weekdays = days.length === 0 ? "*" : [...new Set(days)].sort().join(",");
  const cron = `${Number(minutes)} ${Number(hours)} * * ${weekdays}`;
  return { cron, timezone: resolved(textOf(fields.timezone) ?? "UTC", env), duration };
}

/** A key whose value two files define, and only lists and maps can be merged. */
interface Conflict {
  /** Such as `alerting.slack.webhook-url`. */
  path: string;
}

/**
 * Merges the values of several files as Gatus does: maps are merged, lists are joined. Two different values of anything else
 * are a conflict; the first one counts.
 */
export function mergeFiles(values: readonly unknown[]): { value: unknown; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const value = values.reduce((all, one) => merged(all, one, ""), undefined);
  return { value, conflicts };

  function merged(first: unknown, second: unknown, path: string): unknown {
    if (first === undefined || first === null) return second;
    if (second === undefined || second === null) return first;
    if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
    if (isMap(first) && isMap(second)) return mergedMaps(first, second, path);
    conflicts.push({ path });
    return first;
  }

  function mergedMaps(first: object, second: object, path: string): unknown {
    const all = new Map<string, unknown>(Object.entries(first));
    for (const [key, value] of Object.entries(second))
      all.set(key, merged(all.get(key), value, path === "" ? key : `${path}.${key}`));
    return Object.fromEntries(all);
  }
}

export function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
