import type { TObject } from "@sinclair/typebox";
import type { ChannelType } from "../../domain/alerts/channel.ts";
import { importNames } from "../../domain/alerts/services/registry.ts";
import { declarationOf, optionsOf, type WebhookFormat } from "../../domain/alerts/webhook-format.ts";
import { createRefNames, literal } from "../../domain/configuration/placeholder.ts";
import { checkedImport } from "../checked.ts";
import {
  createReport,
  documentOf,
  type Imported,
  listOf,
  named,
  type Report,
  recordOf,
  textOf,
} from "../imported.ts";
import { createSecrets, type Secrets } from "../output-config.ts";
import { monitorOf, nameOf } from "./checks.ts";

/** Answers of the API of Healthchecks. */
export interface Healthchecks {
  /** `checks` of `GET /api/v3/checks/`. */
  checks: unknown;
  /** `channels` of `GET /api/v3/channels/`; undefined if the key may not read them. */
  channels: unknown;
}

/**
 * Translates the checks and integrations of a project of Healthchecks (behavior 16.118 to 16.121).
 *
 * @param withSecrets whether each monitor gets the UUID of the check as its token, which is its secret
 */
export function importHealthchecks(
  answers: Healthchecks,
  { withSecrets }: { withSecrets: boolean },
): Imported {
  return checkedImport((withPlain) => translate(answers, withPlain), { withSecrets });
}

function translate({ checks, channels }: Healthchecks, withSecrets: boolean): Imported {
  const report = createReport();
  const given = listOf(checks).map(recordOf);
  const secrets = createSecrets(withSecrets);
  const integrationsOf = createIntegrations(channels, { secrets, report });
  const refOf = createRefNames("monitor");
  const monitors = given.map((check) => {
    const name = nameOf(check);
    const ref = refOf(textOf(check.slug) ?? name);
    const monitor = monitorOf(check, report);
    const push = pushOf(check, {
      name,
      report,
      write: (token) => secrets.write(token, "SCHEDULED", ref, "pushToken"),
    });
    const config = { ...monitor.config, ...push };
    return [ref, { ...monitor, config, ...integrationsOf.refsOf(check) }] as const;
  });
  noteSecrets(given, { withSecrets, report });
  const document = documentOf({
    channels: Object.fromEntries(integrationsOf.entries),
    monitors: Object.fromEntries(monitors),
  });
  return {
    ...{ document, found: given.length, omitted: report.omitted() },
    ...{ notes: report.notes(), secrets: secrets.variables() },
  };
}

function pushOf(
  check: Record<string, unknown>,
  { name, report, write }: { name: string; report: Report; write: (token: string) => string },
) {
  const token = uuidOf(check);
  if (token === undefined) return {};
  const old = textOf(check.ping_url) ?? "its ping URL";
  const written = write(token);
  if (written === token)
    report.note(`the job ${JSON.stringify(name)} calls /ping/${token} of this server in place of ${old}`);
  return { pushToken: written };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Older servers give it only at the end of the ping URL. */
function uuidOf({ uuid, ping_url }: Record<string, unknown>): string | undefined {
  const last = (textOf(ping_url) ?? "").split("/").at(-1) ?? "";
  return [textOf(uuid) ?? "", last].find((text) => UUID.test(text));
}

function noteSecrets(
  checks: Record<string, unknown>[],
  { withSecrets, report }: { withSecrets: boolean; report: Report },
): void {
  const hasDescription = checks.some((check) => textOf(check.desc) !== undefined);
  if (hasDescription) report.omit("descriptions of checks", "a monitor has none");
  if (checks.length > 0 && checks.every((check) => uuidOf(check) === undefined))
    report.omit("integrations and ping URLs", "a read-only key does not see them: use a read-write key");
  else if (!withSecrets && checks.length > 0)
    report.note(
      "set the variable of each pushToken to the UUID of its check, so that its job calls /ping/ and the UUID here; with --with-secrets, the file has the UUIDs",
    );
  if (checks.some((check) => textOf(check.slug) !== undefined))
    report.note(
      "addresses with a ping key and a slug are not served: such a job calls /ping/ and the UUID of its check",
    );
}

/** The channels of checks, by the IDs of the integrations. */
function createIntegrations(channels: unknown, { secrets, report }: { secrets: Secrets; report: Report }) {
  const byId = new Map(listOf(channels).map((channel) => [textOf(recordOf(channel).id), recordOf(channel)]));
  const refs = new Map<string, string | undefined>();
  const entries: [string, Record<string, unknown>][] = [];
  const refOf = createRefNames("channel");

  function created(id: string): string | undefined {
    const { kind: given, name: label } = byId.get(id) ?? {};
    const kind = textOf(given) ?? "";
    const name = textOf(label) ?? (kind || "unknown");
    const build = Object.hasOwn(integrations, kind) ? integrations[kind] : undefined;
    if (!build) {
      const why = kind === "" ? "the API did not list it" : `stillup has no channel for ${kind}`;
      report.omit(named("integration", name), why);
      return undefined;
    }
    const ref = refOf(name);
    const { type, config } = build((field) => secrets.unknown(kind, ref === kind ? "" : ref, field));
    entries.push([ref, { name: literal(name), type, config }]);
    report.note(
      "the API of Healthchecks does not say where integrations send to: their addresses are variables",
    );
    return ref;
  }

  return {
    entries,
    /** Nothing if the key may not read them: then the default channels of the organization are used. */
    refsOf(check: Record<string, unknown>): { alertChannelIds?: string[] } {
      if (typeof check.channels !== "string") return {};
      const ids = check.channels.split(",").filter(Boolean);
      for (const id of ids) if (!refs.has(id)) refs.set(id, created(id));
      const known = ids.map((id) => refs.get(id)).filter((ref) => ref !== undefined);
      if (ids.length > 0 && known.length === 0)
        report.omit(
          named("check", nameOf(check), "integrations"),
          `none was taken over of ${ids.length}: it notifies nobody`,
        );
      return { alertChannelIds: known };
    },
  };
}

/** Writes a value that the API of Healthchecks does not give: a placeholder. */
type Unknown = (field: string) => string;

/** The channel for an integration of Healthchecks, by its kind. Its API gives only the kind and the name. */
const integrations: Record<
  string,
  (unknown: Unknown) => { type: ChannelType; config: Record<string, unknown> }
> = {
  email: (unknown) => ({ type: "EMAIL", config: { to: unknown("to") } }),
  slack: (unknown) => ({ type: "SLACK", config: { webhookUrl: unknown("webhookUrl") } }),
  discord: (unknown) => ({ type: "DISCORD", config: { webhookUrl: unknown("webhookUrl") } }),
  msteamsw: (unknown) => ({ type: "TEAMS", config: { webhookUrl: unknown("webhookUrl") } }),
  webhook: (unknown) => ({ type: "WEBHOOK", config: { url: unknown("url") } }),
  rocketchat: incomingWebhook,
  ...declaredIntegrations(),
  signal: (unknown) =>
    service("signal", unknown("url"), { number: unknown("number"), recipients: [unknown("recipient")] }),
};

/** The services of which the declaration has the kind: its required options are placeholders. */
function declaredIntegrations() {
  const all = Object.entries(importNames).flatMap(([name, { healthchecks }]) => {
    const { usual } = declarationOf[name as WebhookFormat].url;
    const { required = [] }: TObject = optionsOf(name as WebhookFormat);
    const build = (unknown: Unknown) => {
      const config = { url: usual ?? unknown("url"), format: name };
      const options = Object.fromEntries(required.map((option) => [option, unknown(option)]));
      return { type: "WEBHOOK" as const, config: required.length > 0 ? { ...config, options } : config };
    };
    return healthchecks === undefined ? [] : [[healthchecks, build] as const];
  });
  return Object.fromEntries(all);
}

function incomingWebhook(unknown: Unknown) {
  return service("custom", unknown("url"), { body: '{"text":"{{text}}"}' });
}

function service(format: string, url: string, options: Record<string, unknown>) {
  return { type: "WEBHOOK" as const, config: { url, format, options } };
}
