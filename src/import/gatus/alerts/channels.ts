import { canonicalJson } from "../../../domain/canonical-json.ts";
import { createRefNames } from "../../../domain/configuration/ref-names.ts";
import type { Report } from "../../imported.ts";
import type { Secrets } from "../../secrets.ts";
import { recordOf } from "../../untyped.ts";
import type { Environment } from "../../variables.ts";
import { secretText } from "../variables.ts";
import { mergedSettings, providerOf, providers } from "./providers.ts";

/** The channels that alerts of Gatus lead to. */
export interface Channels {
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
