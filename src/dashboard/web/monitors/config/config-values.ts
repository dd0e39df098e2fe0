import type { Entry } from "../../../../domain/monitors/kinds/fields.ts";
import { kindById, type MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import { type MonitorType, monitorForms } from "../../../../domain/monitors/monitor.ts";
import { fieldOf } from "../../../../domain/schemas/field-name.ts";
import type { ConfigField } from "../../../../domain/schemas/schema.ts";
import type { Config } from "../../data/api.ts";
import { readConfig } from "../../form/config-field.ts";
import {
  keyFaults,
  numberIn,
  numberOf,
  rawTextOf,
  readPairs,
  textOf,
  withoutEmpty,
} from "../../form/field-errors.ts";
import { completeUrl, intervalIn, readRegistration, splitUrl } from "./interval-field.tsx";
import { jsonRowsOf, literalOf, readJson } from "./json-rows.tsx";

/**
 * The config in a form, as the API accepts it, without empty fields.
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(kind: MonitorKind, data: FormData, stored: Config = {}): Config {
  const { type, protocols } = kindById(kind);
  const config = {
    ...readConfig(fieldsOf(monitorForms[kind]), data, stored),
    // Several are a field.
    ...(protocols?.length === 1 && { protocol: protocols[0] }),
    interval: readInterval(data),
  };
  return withoutEmpty({ ...config, ...others[type]?.(config, data, stored) });
}

/** The fields of entries, without what is shown by a component. */
export function fieldsOf(entries: readonly Entry[]): readonly ConfigField[] {
  return entries.flatMap((entry) => {
    if ("label" in entry) return entry;
    if ("fields" in entry) return entry.fields;
    if ("entries" in entry) return fieldsOf(entry.entries);
    return "options" in entry ? entry.options.flatMap((option) => fieldsOf(option.entries)) : [];
  });
}

/** Parts of a config without a field of their own. */
const others: { [Type in MonitorType]?: (config: Config, data: FormData, stored: Config) => Config } = {
  HTTP: ({ basicAuth = {}, expect }, data, stored) => ({
    headers: readPairs(data, "config.headers"),
    ...urlAndUser(textOf(data, "config.url"), basicAuth as Config),
    expiryWarning: data.has("config.expiryWarning")
      ? (numberOf(data, "config.expiryWarning") ?? "")
      : undefined,
    ...withAnyCertificate(data, stored),
    expect: withStatus(
      data,
      withoutEmpty({
        ...(expect as Config),
        json: readJson(data, (expectationsOf(stored.expect).json ?? {}) as Config),
        headers: readPairs(data, "config.expect.headers"),
      }),
    ),
  }),
  TCP: (_, data, stored) => withAnyCertificate(data, stored),
  TLS: (_, data, { registration }) => ({ registration: readRegistration(data, registration) }),
  // It has no field, and is shown as `•••`, which keeps it.
  SCHEDULED: (_, __, { pushToken }) => ({ pushToken }),
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
function urlAndUser(text: string | undefined, basicAuth: Config): Config {
  const { url, user, password } = splitUrl(completeUrl(text ?? ""));
  if (user !== "" || password !== "") return { url, basicAuth: { user, password } };
  return {
    url: url || undefined,
    basicAuth: isEmpty(basicAuth) ? undefined : { user: "", password: "", ...basicAuth },
  };
}

function isEmpty(part: unknown): boolean {
  return Object.keys(part as object).length === 0;
}

/** Errors of rows that a config cannot have, because it is an object: in the style of the API. */
export function rowFaults(data: FormData): string[] {
  return [
    ...keyFaults(data, { at: "config.headers", width: 2, what: "name" }),
    ...keyFaults(data, { at: "config.expect.headers", width: 2, what: "name" }),
    ...keyFaults(data, { at: "config.expect.json", width: 3, what: "path" }),
    ...jsonRowsOf(data)
      .filter(({ test, value }) => test === "literal" && literalOf(value) === undefined)
      .map(({ path }) => `${fieldOf("config.expect.json", path)} must be a number, true, false or null`),
  ];
}

export type StatusChoice = "success" | "listed" | "any";

const SUCCESS = "2xx";
/** The same statuses, for a config that has expectations and leaves out `status`. */
const DEFAULT = "default";
/** Any answer, beside other expectations. Without these, there is no `expect` at all. */
const EVERY_STATUS = "100-599";

/** `expect` of a config by field; empty without it. */
function expectationsOf(expect: unknown): Config {
  return (expect ?? {}) as Config;
}

/** The choice that shows the expectations of a config. @returns also the value of the radio button of `success` */
export function statusChoiceOf(expect: unknown): { choice: StatusChoice; success: string } {
  if (expect === undefined) return { choice: "any", success: SUCCESS };
  const { status, ...others } = expectationsOf(expect);
  if (status === undefined) return { choice: "success", success: DEFAULT };
  const shown = String(status);
  if (shown === SUCCESS) return { choice: "success", success: SUCCESS };
  const isAny = shown === EVERY_STATUS && Object.keys(others).length > 0;
  return { choice: isAny ? "any" : "listed", success: SUCCESS };
}

export function showStatuses(expect: unknown): string {
  const { status } = expectationsOf(expect);
  return Array.isArray(status) ? status.join(", ") : "";
}

/** The expectations of a form, with the statuses that were chosen. @param others all other expectations */
function withStatus(data: FormData, others: object): object | undefined {
  const choice = data.get("up");
  if (choice === SUCCESS) return { status: [SUCCESS], ...others };
  if (choice === DEFAULT) return others;
  if (choice === "listed") return { status: readStatuses(data), ...others };
  return Object.keys(others).length > 0 ? { status: [EVERY_STATUS], ...others } : undefined;
}

function readStatuses(data: FormData): (number | string)[] {
  const words = (rawTextOf(data, "config.expect.status") ?? "").split(/[\s,]+/).filter(Boolean);
  return words.map((word) => (/^\d+$/.test(word) ? Number(word) : word));
}
