import type { ReportOmission } from "../../imported.ts";
import { clamp, listOf, recordOf, textOf } from "../../untyped.ts";
import type { Environment } from "../../variables.ts";
import { booleanIn, durationIn, numberIn } from "../numbers.ts";
import type { Channels } from "./channels.ts";

const FAILURES = 3;
const SUCCESSES = 2;

const MAX_CONFIRMATIONS = 10;
const MAX_AFTER = 86_400;
const MIN_REMINDER = 300;
const MAX_REMINDER = 604_800;

/** An alert of an endpoint, with what it takes from the default alert of its provider. */
interface Alert {
  refs: string[];
  failures: number;
  successes: number;
  /** Seconds; 0: no reminder. */
  every: number;
}

interface AlertSurroundings {
  alerting: Record<string, unknown>;
  channels: Channels;
  group: string | undefined;
  /** Seconds. */
  interval: number;
  env: Environment;
  omit: ReportOmission;
}

/**
 * The channels and the confirmation of a monitor (behavior 16.115): the lowest threshold is the confirmation, and alerts with a
 * higher one wait as long as their further failures take.
 */
export function alertFields(
  fields: Record<string, unknown>,
  surroundings: AlertSurroundings,
): Record<"bindings" | "confirmation", Record<string, unknown>> {
  const alerts = listOf(fields.alerts).flatMap((alert) => readAlert(recordOf(alert), surroundings));
  if (alerts.length === 0) return { bindings: { alertChannelIds: [] }, confirmation: {} };
  const failures = Math.min(...alerts.map((alert) => alert.failures));
  const successes = Math.min(...alerts.map((alert) => alert.successes));
  const confirmations = clamp(0, failures - 1, MAX_CONFIRMATIONS);
  const recoveries = clamp(0, successes - 1, MAX_CONFIRMATIONS);
  return {
    bindings: bindingFields(alerts, { confirmations, interval: surroundings.interval }),
    confirmation: { ...(confirmations > 0 && { confirmations }), ...(recoveries > 0 && { recoveries }) },
  };
}

function readAlert(alert: Record<string, unknown>, surroundings: AlertSurroundings): Alert[] {
  const { alerting, channels, group, env, omit } = surroundings;
  const type = textOf(alert.type);
  if (type === undefined) return [];
  const standard = recordOf(recordOf(alerting[type])["default-alert"]);
  const setting = (name: string) => alert[name] ?? standard[name];
  if (booleanIn(setting("enabled"), env) === false) return [];
  if (textOf(setting("description")) !== undefined)
    omit("descriptions of alerts", "a notification says what stillup saw");
  const count = (name: string) => numberIn(textOf(setting(name)) ?? "", env) || 0;
  const sendsRecovery = booleanIn(setting("send-on-resolved"), env) ?? false;
  const refs = channels.refsOf({
    type,
    group,
    override: recordOf(alert["provider-override"]),
    sendsRecovery,
  });
  if (refs.length === 0) return [];
  const reminder = durationIn(setting("minimum-reminder-interval"), env) ?? 0;
  return [
    {
      refs,
      failures: Math.round(count("failure-threshold")) || FAILURES,
      successes: Math.round(count("success-threshold")) || SUCCESSES,
      every: reminder > 0 ? clamp(MIN_REMINDER, Math.round(reminder / 1000), MAX_REMINDER) : 0,
    },
  ];
}

function bindingFields(
  alerts: Alert[],
  { confirmations, interval }: { confirmations: number; interval: number },
): Record<string, unknown> {
  const bindings = new Map<string, { after: number; every: number }>();
  for (const { refs, failures, every } of alerts.toSorted((a, b) => a.failures - b.failures)) {
    const further = failures - 1 > confirmations ? (failures - 1) * interval : 0;
    const after = Math.min(further, MAX_AFTER);
    // A channel has one binding: the alert that comes first counts.
    for (const ref of refs) if (!bindings.has(ref)) bindings.set(ref, { after, every });
  }
  const all = [...bindings].map(([alertChannelId, { after, every }]) => ({
    alertChannelId,
    ...(after > 0 && { after }),
    ...(every > 0 && { every }),
  }));
  const isPlain = all.every((binding) => Object.keys(binding).length === 1);
  return isPlain ? { alertChannelIds: [...bindings.keys()] } : { alertBindings: all };
}
