import type { Entry } from "../../../../domain/monitors/kinds/fields.ts";
import { kindById, type MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import { type MonitorType, monitorForms } from "../../../../domain/monitors/monitor.ts";
import type { SaidFault } from "../../../../domain/schemas/validation.ts";
import type { Config } from "../../data/api.ts";
import { readConfig } from "../../form/config-field.ts";
import { numberIn, numberOf, readPairs, textOf, withoutEmpty } from "../../form/field-errors.ts";
import { pageFault } from "../../form/page-fault.ts";
import { completeUrl, intervalIn, readRegistration, splitUrl } from "./interval-field.tsx";
import { fieldsOf, readExpectations, readSteps, rowFaults, unshownIn } from "./request-values.ts";

/**
 * The config in a form, as the API accepts it, without empty fields.
 *
 * @param stored the config that the form showed; what was not edited, and what has no field, stays as it is
 */
export function configOf(kind: MonitorKind, data: FormData, stored: Config = {}): Config {
  const { type, protocols } = kindById(kind);
  const entries = monitorForms[kind];
  const config = {
    ...unshownIn(stored, entries, KNOWN),
    ...readConfig(fieldsOf(entries), data, stored),
    ...chosenIn(entries, data),
    // Several are a field.
    ...(protocols?.length === 1 && { protocol: protocols[0] }),
    interval: readInterval(data),
  };
  return withoutEmpty({ ...config, ...others[type]?.(config, data, { stored, entries }) });
}

/** Fields that `configOf` reads itself. Steps are in place of a URL. */
const KNOWN = ["interval", "url", "steps", "pushToken"];

/** The values that the chosen options set. */
function chosenIn(entries: readonly Entry[], data: FormData): Config {
  const sets = entries.map((entry) => {
    if ("options" in entry) return entry.options.find(({ value }) => value === data.get(entry.radio))?.sets;
    return "entries" in entry ? chosenIn(entry.entries, data) : {};
  });
  return Object.assign({}, ...sets);
}

/** @property stored the config that the form showed @property entries the form */
interface Form {
  stored: Config;
  entries: readonly Entry[];
}

/** Parts of a config without a field of their own. */
const others: { [Type in MonitorType]?: (config: Config, data: FormData, form: Form) => Config } = {
  HTTP: (config, data, { stored, entries }) => ({
    headers: readPairs(data, "config.headers"),
    ...urlAndUser(textOf(data, "config.url"), config.basicAuth, data.get("signIn") === "basic"),
    digestAuth: credentials(config.digestAuth, data.get("signIn") === "digest"),
    ...withoutParts(config, ["oauth2", "clientCertificate", "proxy"]),
    steps: readSteps(data, stored.steps),
    expiryWarning: data.has("config.expiryWarning")
      ? (numberOf(data, "config.expiryWarning") ?? "")
      : undefined,
    ...withAnyCertificate(data, stored),
    expect: readExpectations(data, "config", { stored: stored.expect, entries }),
  }),
  TCP: (_, data, { stored }) => withAnyCertificate(data, stored),
  TLS: (_, data, { stored }) => ({ registration: readRegistration(data, stored.registration) }),
  // It has no field, and is shown as `•••`, which keeps it.
  SCHEDULED: (_, __, { stored }) => ({ pushToken: stored.pushToken }),
};

function withAnyCertificate(data: FormData, stored: Config): Config {
  return { verifyTls: data.has("config.verifyTls") ? false : stored.verifyTls === true || undefined };
}

/** Seconds; undefined for a type without an interval. */
function readInterval(data: FormData): number | string | undefined {
  const text = intervalIn(data.getAll("config.interval").map(String));
  return text === "" ? undefined : numberIn(text);
}

/** A user in the URL replaces the one of the fields. */
function urlAndUser(text: string | undefined, basicAuth: unknown, isChosen: boolean): Config {
  const { url, user, password } = splitUrl(completeUrl(text ?? ""));
  if (user !== "" || password !== "") return { url, basicAuth: { user, password } };
  return { url: url || undefined, basicAuth: credentials(basicAuth, isChosen) };
}

/** A user without a password has an empty one. @param isChosen whether they are needed: without both, the API asks for them */
function credentials(part: unknown, isChosen: boolean): Config | undefined {
  if (isEmpty(part)) return isChosen ? {} : undefined;
  return { user: "", password: "", ...(part as Config) };
}

/** The parts of a config that have no field with a value are left out. */
function withoutParts(config: Config, names: readonly string[]): Config {
  return Object.fromEntries(names.map((name) => [name, isEmpty(config[name]) ? undefined : config[name]]));
}

function isEmpty(part: unknown): boolean {
  return Object.keys(Object(part)).length === 0;
}

/** Faults of what a config cannot have. */
export function formFaults(kind: MonitorKind, data: FormData): SaidFault[] {
  const isEmptyList = (name: string) => data.has(name) && textOf(data, name) === undefined;
  const lists = fieldsOf(monitorForms[kind]).filter((field) => field.kind === "lines" && field.isRequired);
  return [
    ...rowFaults(data),
    ...lists
      .map(({ name }) => `config.${name}`)
      .filter(isEmptyList)
      .map((name) => pageFault("noRecord", name, {})),
  ];
}
