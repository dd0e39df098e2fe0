import { canonicalJson } from "../../../domain/canonical-json.ts";
import { createRefNames } from "../../../domain/configuration/placeholder.ts";
import { clamp, listOf, type Report, type ReportOmission, recordOf, textOf } from "../../imported.ts";
import { type Environment, type Secrets, secretText } from "../../output-config.ts";
import { booleanIn, durationIn, numberIn } from "../variables.ts";
import { mergedSettings, providerOf, providers } from "./providers.ts";

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
  /** Reports a part of the endpoint. */
  omitPart: ReportOmission;
}

/**
 * The channels and the confirmation of a monitor (behavior 16.115): the lowest threshold is the confirmation, and alerts with a
 * higher one wait as long as their further failures take.
 */
export function alertFields(
  fields: Record<string, unknown>,
  surroundings: AlertSurroundings,
): Record<"bindings" | "confirmation", Record<string, unknown>> {
  const given = listOf(fields.alerts).map(recordOf);
  const alerts = given.flatMap((alert) => readAlert(alert, surroundings));
  if (alerts.length === 0) {
    const lost = given.filter((alert) => isSent(alert, surroundings)).length;
    if (lost > 0) surroundings.omitPart("alerts", `none was taken over of ${lost}: it notifies nobody`);
    return { bindings: { alertChannelIds: [] }, confirmation: {} };
  }
  const failures = Math.min(...alerts.map((alert) => alert.failures));
  const successes = Math.min(...alerts.map((alert) => alert.successes));
  const { interval, omitPart } = surroundings;
  const confirmations = clamp(0, failures - 1, MAX_CONFIRMATIONS);
  const recoveries = clamp(0, successes - 1, MAX_CONFIRMATIONS);
  const most = `a change is confirmed by at most ${MAX_CONFIRMATIONS} further checks`;
  if (failures - 1 > confirmations)
    omitPart("failure-threshold", `it is ${failures}; ${most}: it is ${confirmations + 1} here`);
  if (successes - 1 > recoveries)
    omitPart("success-threshold", `it is ${successes}; ${most}: it is ${recoveries + 1} here`);
  if (alerts.some((alert) => alert.successes > successes))
    omitPart("success-threshold", `a monitor has one for all channels: the lowest, ${successes}`);
  return {
    bindings: bindingFields(alerts, { confirmations, interval, omitPart }),
    confirmation: { ...(confirmations > 0 && { confirmations }), ...(recoveries > 0 && { recoveries }) },
  };
}

/** Whether Gatus sends an alert. */
function isSent(alert: Record<string, unknown>, { alerting, env }: AlertSurroundings): boolean {
  const type = textOf(alert.type);
  if (type === undefined || !Object.hasOwn(alerting, type)) return false;
  const standard = recordOf(recordOf(alerting[type])["default-alert"]);
  return booleanIn(alert.enabled ?? standard.enabled, env) !== false;
}

function readAlert(alert: Record<string, unknown>, surroundings: AlertSurroundings): Alert[] {
  const { alerting, channels, group, env, omit, omitPart } = surroundings;
  const type = textOf(alert.type);
  if (type === undefined) return [];
  const standard = recordOf(recordOf(alerting[type])["default-alert"]);
  const setting = (name: string) => alert[name] ?? standard[name];
  if (booleanIn(setting("enabled"), env) === false) return [];
  if (textOf(setting("description")) !== undefined)
    omit("descriptions of alerts", "a notification says what stillup saw");
  const count = (name: string, standard: number) => {
    const text = textOf(setting(name));
    const number = numberIn(text ?? "", env);
    if (text !== undefined && number === undefined)
      omitPart(name, `it is not a number, or a variable that is not set: it is ${standard}`);
    return Math.round(Math.max(0, number ?? 0)) || standard;
  };
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
      failures: count("failure-threshold", FAILURES),
      successes: count("success-threshold", SUCCESSES),
      every: everyOf(reminder / 1000, omitPart),
    },
  ];
}

/** @param wanted seconds; 0: no reminder */
function everyOf(wanted: number, omitPart: ReportOmission): number {
  if (wanted <= 0) return 0;
  const every = clamp(MIN_REMINDER, Math.round(wanted), MAX_REMINDER);
  const range = `${MIN_REMINDER} to ${MAX_REMINDER} s`;
  if (every !== wanted)
    omitPart("minimum-reminder-interval", `it is ${wanted} s; ${range} are possible: it is ${every} s here`);
  return every;
}

function bindingFields(
  alerts: Alert[],
  {
    confirmations,
    interval,
    omitPart,
  }: { confirmations: number; interval: number; omitPart: ReportOmission },
): Record<string, unknown> {
  const bindings = new Map<string, { after: number; every: number }>();
  for (const { refs, failures, every } of alerts.toSorted((a, b) => a.failures - b.failures)) {
    const further = failures - 1 > confirmations ? (failures - 1) * interval : 0;
    const after = Math.min(further, MAX_AFTER);
    if (after < further)
      omitPart(
        "failure-threshold",
        `${failures} failures take ${further} s; a channel waits ${after} s at most`,
      );
    for (const ref of refs) {
      const known = bindings.get(ref);
      if (!known) bindings.set(ref, { after, every });
      else if (known.after !== after || known.every !== every)
        omitPart(
          "alerts",
          `of several to the channel ${ref}, the one with the lowest failure-threshold counts`,
        );
    }
  }
  const all = [...bindings].map(([alertChannelId, { after, every }]) => ({
    alertChannelId,
    ...(after > 0 && { after }),
    ...(every > 0 && { every }),
  }));
  const isPlain = all.every((binding) => Object.keys(binding).length === 1);
  return isPlain ? { alertChannelIds: [...bindings.keys()] } : { alertBindings: all };
}

/** The channels that alerts of Gatus lead to. */
interface Channels {
  /**
   * The refs of the channels of an alert; none if there are none here.
   *
   * @param sendsRecovery whether the alert is also sent when the trouble is over
   */
  refsOf(alert: {
    type: string;
    group: string | undefined;
    override: Record<string, unknown>;
    sendsRecovery: boolean;
  }): string[];
  /** By ref, in the order of their first use. */
  entries(): Record<string, Record<string, unknown>>;
}

interface Channel {
  refs: string[];
  drafts: { type: string; config: Record<string, unknown> }[];
  /** Undefined while no alert uses it. */
  sendsRecovery?: boolean;
}

/** Each set of settings is one channel, or one for each address of a mail. */
export function createChannels(
  alerting: Record<string, unknown>,
  { env, secrets, report }: { env: Environment; secrets: Secrets; report: Report },
): Channels {
  const known = new Map<string, Channel>();
  const refOf = createRefNames("channel");

  function channelOf(type: string, settings: Record<string, unknown>, name: string): Channel {
    const key = canonicalJson([type, settings]);
    const found = known.get(key);
    if (found) return found;
    const channel = created(type, settings, name);
    known.set(key, channel);
    return channel;
  }

  function created(type: string, settings: Record<string, unknown>, name: string): Channel {
    const what = `alerting.${type}`;
    const build = Object.hasOwn(providers, type) ? providers[type] : undefined;
    if (!build) {
      report.omit(what, "stillup has no such channel; a WEBHOOK channel with the format custom may do it");
      return { refs: [], drafts: [] };
    }
    for (const setting of Object.keys(recordOf(settings.client)))
      report.omit(`${what}.client.${setting}`, "a channel has no such setting");
    const ref = refOf(name);
    const drafts = build(
      providerOf(settings, {
        env,
        omit: (setting, why) => report.omit(`${what}.${setting}`, why),
        write: (text, field) => secretText(text, secrets, ref, field),
      }),
    );
    if (drafts.length === 0) report.omit(what, "it lacks a setting that it needs");
    return { refs: drafts.map((_, at) => (at === 0 ? ref : refOf(name))), drafts };
  }

  function addUnused(): void {
    for (const [type, value] of Object.entries(alerting)) {
      const isUsed = known.keys().some((key) => key.startsWith(`[${JSON.stringify(type)},`));
      const settings = mergedSettings(recordOf(value), undefined, {});
      if (!isUsed && Object.keys(settings).length > 0) channelOf(type, settings, type);
    }
  }

  return {
    refsOf({ type, group, override, sendsRecovery }) {
      if (!Object.hasOwn(alerting, type)) {
        report.omit(
          `alerts of the type ${type}`,
          "alerting has no such provider, so that Gatus sends none either",
        );
        return [];
      }
      const base = recordOf(alerting[type]);
      const settings = mergedSettings(base, group, override);
      const isOwn = canonicalJson(settings) !== canonicalJson(mergedSettings(base, undefined, {}));
      const channel = channelOf(type, settings, isOwn && group ? `${type} ${group}` : type);
      if (channel.sendsRecovery === !sendsRecovery)
        report.omit(
          `alerting.${type}, send-on-resolved`,
          "only some alerts have it; a channel is notified of all recoveries or of none: here of all",
        );
      channel.sendsRecovery = sendsRecovery || (channel.sendsRecovery ?? false);
      return channel.refs;
    },
    entries() {
      addUnused();
      return Object.fromEntries(known.values().flatMap(entriesOf));
    },
  };
}

function entriesOf({ refs, drafts, sendsRecovery }: Channel): [string, Record<string, unknown>][] {
  const notifyOn = sendsRecovery === false ? { notifyOn: ["down", "warning"] } : {};
  return drafts.map(({ type, config }, at) => [refs[at] ?? "", { type, config, ...notifyOn }]);
}
