import { canonicalJson, isSameJson } from "../../domain/canonical-json.ts";
import { createRefNames } from "../../domain/configuration/placeholder.ts";
import { checkedImport } from "../checked.ts";
import {
  clamp,
  createReport,
  documentOf,
  type Imported,
  listOf,
  named,
  type Report,
  recordOf,
  tagsOf,
  textOf,
} from "../imported.ts";
import { createSecrets, type Environment, resolved, variablesIn } from "../output-config.ts";
import { alertFields, createChannels } from "./alerts/alerts.ts";
import type { Files } from "./endpoints/access.ts";
import { type Endpoint, type Mapped, mapDns, type Refusal, readEndpoint } from "./endpoints/endpoint.ts";
import { mapGrpc, mapHttp, mapPing, mapSsh, mapWebSocket } from "./endpoints/protocol-endpoint.ts";
import { mapSuite, SUITE_INTERVAL, stepFields } from "./endpoints/suite.ts";
import { mapTcp, mapTls } from "./endpoints/tcp-endpoint.ts";
import { createMaintenances } from "./maintenances.ts";
import { booleanIn, durationIn, writtenValue } from "./variables.ts";

/**
 * Translates a configuration of Gatus (behavior 16.110 to 16.117).
 *
 * @param value the YAML of its file, or of its files together (`mergeFiles`)
 * @param env variables that the file uses, as far as they are known: they decide what a text means, and the document keeps
 *   the variables
 * @param files the certificates and keys of its clients, as far as they can be read
 */
export function importGatus(
  value: unknown,
  { env, files = new Map(), withSecrets }: { env: Environment; files?: Files; withSecrets: boolean },
): Imported {
  return checkedImport((withPlain) => translate(value, { env, files, withSecrets: withPlain }), {
    ...{ withSecrets, env, product: "Gatus", isFurther: isForDomain },
  });
}

/** Whether a monitor is the further one for the registration of a domain. */
function isForDomain(monitor: unknown): boolean {
  const { type, name } = recordOf(monitor);
  return type === "TLS" && String(name).endsWith(DOMAIN);
}

const DOMAIN = ", domain";

function translate(
  value: unknown,
  { env, files, withSecrets }: { env: Environment; files: Files; withSecrets: boolean },
): Imported {
  const configuration = recordOf(writtenValue(value));
  const report = createReport();
  const secrets = createSecrets(withSecrets, variablesIn(configuration));
  const alerting = recordOf(configuration.alerting);
  const channels = createChannels(alerting, { env, secrets, report });
  const maintenances = createMaintenances(env, report.omit);
  const monitors: Record<string, Record<string, unknown>> = {};
  const refOf = createRefNames("monitor");

  function add(fields: Record<string, unknown>, kind: Kind): void {
    const [name, group] = [nameOf(fields), textOf(fields.group)];
    const label = labelOf(kind, fields);
    const ref = refOf(resolved(group === undefined ? name : `${group}-${name}`, env));
    const omit = (what: string, why: string) => report.omit(`${label}, ${what}`, why);
    const endpoint = readEndpoint(fields, { ref, env, secrets, files, omit, note: report.note });
    const mapped = mappers[kind](endpoint);
    if ("refusal" in mapped) {
      report.lose(label, mapped.refusal, mapped.type);
      return;
    }
    const { interval } = endpoint;
    const { bindings, confirmation } = alertFields(fields, {
      alerting,
      channels,
      group,
      interval,
      env,
      omit: report.omit,
      omitPart: omit,
    });
    const tags = tagsField(fields, { what: label, report });
    const shared = { ...enabledField(fields, mapped, env), ...tags, ...bindings };
    monitors[ref] = { name, type: mapped.type, config: mapped.config, ...shared, ...confirmation };
    const refs = [ref, ...addDomain(mapped, { ref, name, shared })];
    for (const window of listOf(fields["maintenance-windows"])) maintenances.add(window, refs);
  }

  function addDomain(
    { domain }: Mapped,
    { ref, name, shared }: { ref: string; name: string; shared: Record<string, unknown> },
  ): string[] {
    if (!domain) return [];
    const own = refOf(`${ref}-domain`);
    monitors[own] = { name: `${name}${DOMAIN}`, type: "TLS", config: domain, ...shared };
    return [own];
  }

  for (const fields of listOf(configuration.endpoints)) add(recordOf(fields), "endpoint");
  for (const fields of listOf(configuration["external-endpoints"]))
    add(recordOf(fields), "external endpoint");
  for (const fields of listOf(configuration.suites)) add(suiteFields(recordOf(fields), report), "suite");
  maintenances.addGlobal(configuration.maintenance);
  omitSections(configuration, report);
  const document = documentOf({
    channels: channels.entries(),
    monitors,
    maintenances: maintenances.entries(),
  });
  return {
    ...{ document, omitted: report.omitted(), notes: report.notes(), secrets: secrets.variables() },
    found: [configuration.endpoints, configuration["external-endpoints"], configuration.suites].flatMap(
      listOf,
    ).length,
  };
}

function nameOf({ name }: Record<string, unknown>): string {
  return textOf(name) ?? "unnamed";
}

type Kind = "endpoint" | "external endpoint" | "suite";

/** With its group, as Gatus shows it. */
function labelOf(kind: Kind, fields: Record<string, unknown>): string {
  const group = textOf(fields.group);
  return named(kind, group === undefined ? nameOf(fields) : `${group}/${nameOf(fields)}`);
}

const mappers: Record<Kind, (endpoint: Endpoint) => Mapped | Refusal> = {
  endpoint: mapEndpoint,
  "external endpoint": mapExternal,
  suite: mapSuite,
};

/** A suite with what its endpoints have for all of it: their alerts, windows and labels. Each one once. */
function suiteFields(suite: Record<string, unknown>, report: Report): Record<string, unknown> {
  const endpoints = stepFields(suite);
  const omit = (what: string, why: string) => report.omit(`${labelOf("suite", suite)}, ${what}`, why);
  const lists = (name: string) => endpoints.map((fields) => listOf(fields[name]));
  const differ = (name: string) => lists(name).some((list) => !isSameJson(list, lists(name)[0]));
  if (differ("alerts")) omit("alerts", "a monitor has them for all of its steps: they notify of each step");
  if (differ("maintenance-windows")) omit("maintenance-windows", "a monitor has them for all of its steps");
  const once = (name: string) => [
    ...new Map(
      lists(name)
        .flat()
        .map((one) => [canonicalJson(one), one]),
    ).values(),
  ];
  return {
    ...suite,
    interval: suite.interval ?? SUITE_INTERVAL,
    ...{ alerts: once("alerts"), "maintenance-windows": once("maintenance-windows") },
    "extra-labels": Object.assign({}, ...endpoints.map((fields) => recordOf(fields["extra-labels"]))),
  };
}

/** By the scheme of the URL. */
const byScheme = new Map<string, (endpoint: Endpoint) => Mapped | Refusal>([
  ["http", mapHttp],
  ["https", mapHttp],
  ["tcp", mapTcp],
  ["tls", mapTls],
  ["starttls", mapTls],
  ["ssh", mapSsh],
  ["icmp", mapPing],
  ["ws", mapWebSocket],
  ["wss", mapWebSocket],
  ["grpc", mapGrpc],
  ["grpcs", mapGrpc],
]);

/** By the scheme of the URL: why there is no such monitor. */
const refused = new Map([
  ["udp", "stillup has no UDP monitors"],
  ["sctp", "stillup has no SCTP monitors"],
]);

/** A condition that only holds shortly before an end. */
const EXPIRING =
  /^\s*(\[(CERTIFICATE|DOMAIN)_EXPIRATION\] <=? |[^[]* >=? \[(CERTIFICATE|DOMAIN)_EXPIRATION\])/i;

function mapEndpoint(endpoint: Endpoint): Mapped | Refusal {
  if (endpoint.conditions.some((condition) => EXPIRING.test(condition)))
    return {
      refusal: "it is healthy while its certificate or domain expires soon: stillup has no such expectation",
    };
  if (endpoint.fields.dns !== undefined) return mapDns(endpoint);
  const url = resolved(endpoint.url, endpoint.env);
  const [, scheme] = /^([a-z]+):\/\//.exec(url) ?? [];
  if (scheme === undefined) {
    const isOpen = url.startsWith("${");
    return {
      refusal: isOpen
        ? "its URL is a variable that is not set: set it for the import too"
        : "its URL has no known scheme",
    };
  }
  const refusal = refused.get(scheme);
  if (refusal !== undefined) return { refusal, type: scheme };
  return byScheme.get(scheme)?.(endpoint) ?? { refusal: "its URL has no known scheme" };
}

function enabledField(fields: Record<string, unknown>, { isPaused }: Mapped, env: Environment) {
  return booleanIn(fields.enabled, env) === false || isPaused ? { enabled: false } : {};
}

function tagsField(
  fields: Record<string, unknown>,
  reporter: { what: string; report: Report },
): { tags?: string[] } {
  const group = textOf(fields.group);
  const labels = Object.entries(recordOf(fields["extra-labels"]));
  const tags = tagsOf(
    [
      ...(group === undefined ? [] : [`group:${group}`]),
      ...labels.map(([name, value]) => `${name}:${textOf(value) ?? ""}`),
    ],
    reporter,
  );
  return tags.length > 0 ? { tags } : {};
}

/** By the section of the file. */
const SECTIONS: Record<string, string> = {
  remote: "stillup does not show the monitors of another server",
  tunneling: "stillup has no tunnels; a location in the other network can check what is there",
  announcements: "write an incident on a status page",
  security: "stillup has keys of its API, which the page uses too",
  ui: "a status page of stillup has its own settings",
};

/** Reports the other sections, except if they only concern the server of Gatus. */
function omitSections(configuration: Record<string, unknown>, report: Report): void {
  for (const [name, why] of Object.entries(SECTIONS))
    if (configuration[name] !== undefined && configuration[name] !== null) report.omit(name, why);
  const target = textOf(recordOf(recordOf(configuration.connectivity).checker).target);
  if (target !== undefined)
    report.omit("connectivity", `it is a setting of the server: --network-check ${target}`);
}

const MIN = 10;
const MAX = 31_536_000;

/** A SCHEDULED monitor: the job checks in here in place of pushing its result to Gatus (behavior 16.113). */
function mapExternal({ fields, env, omit, note }: Endpoint): Mapped {
  note("jobs of external endpoints call the check-in URL of their monitor in place of the URL of Gatus");
  const length = durationIn(recordOf(fields.heartbeat).interval, env);
  if (length) {
    const wanted = length / 1000;
    const period = clamp(MIN, Math.round(wanted), MAX);
    const range = `a period is whole seconds, ${MIN} to ${MAX}`;
    if (period !== wanted) omit("heartbeat.interval", `it is ${wanted} s; ${range}: it is ${period} s here`);
    return { type: "SCHEDULED", config: { period } };
  }
  omit(
    "heartbeat.interval",
    "it has none: stillup learns the rhythm from the check-ins, and notices a late one",
  );
  return { type: "SCHEDULED", config: {} };
}
