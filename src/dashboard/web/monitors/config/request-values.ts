import type { Entry, Field } from "../../../../domain/monitors/kinds/fields.ts";
import { stepForm } from "../../../../domain/monitors/kinds/http-forms.ts";
import { OF_ONE_REQUEST } from "../../../../domain/monitors/kinds/http-steps.ts";
import { fieldOf } from "../../../../domain/schemas/field-name.ts";
import type { SaidFault } from "../../../../domain/schemas/validation.ts";
import type { Config } from "../../data/api.ts";
import { readConfig } from "../../form/config-field.ts";
import { keyFaults, numberOf, rawTextOf, readPairs, textOf, withoutEmpty } from "../../form/field-errors.ts";
import { pageFault } from "../../form/page-fault.ts";
import { completeUrl } from "./interval-field.tsx";
import { jsonRowsOf, literalOf, readJson } from "./json-rows.tsx";

/* A request with its expected answer in a form: of a monitor, or of one of its steps. */

/** The fields of entries, without what is shown by a component. */
export function fieldsOf(entries: readonly Entry[]): readonly Field[] {
  return partsOf(entries).filter((part): part is Field => !("widget" in part));
}

/** The fields and the components of entries, also of those in sections and options. */
export function partsOf(entries: readonly Entry[]): readonly (Field | Extract<Entry, { widget: unknown }>)[] {
  return entries.flatMap((entry) => {
    if ("fields" in entry) return entry.fields;
    if ("options" in entry) return partsOf(entry.options.flatMap((option) => option.entries));
    return "section" in entry ? partsOf(entry.entries) : entry;
  });
}

/** The parts of a stored config that no entry shows, which therefore stay. @param others names that are known without an entry */
export function unshownIn(stored: Config, entries: readonly Entry[], others: readonly string[]): Config {
  const shown = [...partsOf(entries).map(({ name }) => name.split(".")[0]), ...others];
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !shown.includes(name)));
}

/** Whether a monitor with steps does not have an entry: each step has it for itself. */
export function isOfOneRequest(entry: Entry): boolean {
  const names = partsOf([entry]).map(({ name }) => name.split(".")[0]);
  return names.every((name) => OF_ONE_REQUEST.some((one) => one === name));
}

/** A config with one request, as a config with steps: the request is the first of them. */
export function withSteps(config: Config): Config {
  const isOfRequest = (name: string) => OF_ONE_REQUEST.some((one) => one === name);
  const [request, others] = [isOfRequest, (name: string) => !isOfRequest(name)].map((belongs) =>
    Object.fromEntries(Object.entries(config).filter(([name]) => belongs(name))),
  );
  const { everyAddress: _, ...first } = request ?? {};
  return { ...others, steps: [first, {}] };
}

/** A config with steps, as a config with one request: the first of them. */
export function withOneRequest({ steps, ...others }: Config): Config {
  const [{ name: _, take: __, ...request } = {}] = stepsIn(steps);
  return { ...others, ...request };
}

export function stepsIn(steps: unknown): Config[] {
  return Array.isArray(steps) ? steps : [];
}

/** The names of the hidden fields, one for each step: the position of its stored step, or nothing. */
export const STEPS = "config.steps";

/** The field of a step in the form. @param at its place, from 0 */
export function fieldOfStep(at: number): string {
  return `${STEPS}.${at}`;
}

/** @returns undefined for a form with one request */
export function readSteps(data: FormData, stored: unknown): Config[] | undefined {
  if (!data.has(STEPS)) return undefined;
  return data
    .getAll(STEPS)
    .map((from, at) => readStep(data, fieldOfStep(at), stepsIn(stored)[Number(from || -1)]));
}

function readStep(data: FormData, at: string, stored: Config = {}): Config {
  const url = completeUrl(textOf(data, `${at}.url`) ?? "");
  return withoutEmpty({
    ...unshownIn(stored, stepForm, []),
    ...readConfig(fieldsOf(stepForm), data, stored, at),
    url: url || undefined,
    headers: readPairs(data, `${at}.headers`),
    take: readPairs(data, `${at}.take`),
    expect: readExpectations(data, at, { stored: stored.expect, entries: stepForm }),
  });
}

/** Errors of rows that a request cannot have, because it is an object. */
export function rowFaults(data: FormData): SaidFault[] {
  return ["config", ...data.getAll(STEPS).map((_, at) => fieldOfStep(at))].flatMap((at) => [
    ...keyFaults(data, { at: `${at}.headers`, width: 2, what: "name" }),
    ...keyFaults(data, { at: `${at}.expect.headers`, width: 2, what: "name" }),
    ...keyFaults(data, { at: `${at}.take`, width: 2, what: "name" }),
    ...keyFaults(data, { at: `${at}.expect.json`, width: 3, what: "path" }),
    ...jsonRowsOf(data, `${at}.expect.json`)
      .filter(({ test, value }) => test === "literal" && literalOf(value) === undefined)
      .map(({ path }) => pageFault("jsonLiteral", fieldOf(`${at}.expect.json`, path), {})),
  ]);
}

/* The expectations of an answer. */

interface Shown {
  /** The expectations that the form showed. */
  stored: unknown;
  entries: readonly Entry[];
}

/** @param at the place of the request @returns undefined if every answer counts */
export function readExpectations(data: FormData, at: string, { stored, entries }: Shown): object | undefined {
  const known = expectationsOf(stored);
  const fields = fieldsOf(entries).filter(({ name }) => name.startsWith("expect."));
  const { expect } = readConfig(fields, data, { expect: stored }, at);
  return withStatus(data, at, {
    ...unshownExpectations(known, entries),
    ...withoutEmpty({
      ...(expect as Config),
      json: readJson(data, `${at}.expect.json`, (known.json ?? {}) as Config),
      headers: readPairs(data, `${at}.expect.headers`),
      same: readSame(data, `${at}.expect.same`, known.same),
    }),
  });
}

function unshownExpectations(stored: Config, entries: readonly Entry[]): Config {
  const names = partsOf(entries).map(({ name }) => name);
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(`expect.${name}`)));
}

export type StatusChoice = "success" | "listed" | "any";

const SUCCESS = "2xx";
/** The same statuses, for a config that has expectations and leaves out `status`. */
const DEFAULT = "default";
/** Any answer, beside other expectations. Without these, there is no `expect` at all. */
const EVERY_STATUS = "100-999";
/** The same of a config that was saved when statuses ended at 599. */
const EVERY_STATUS_TO_599 = "100-599";

/** `expect` of a config by field; empty without it. */
function expectationsOf(expect: unknown): Config {
  return (expect ?? {}) as Config;
}

/** The choice that shows the expectations of a config. @property sent the values of the radio buttons */
export function statusChoiceOf(expect: unknown): {
  choice: StatusChoice;
  sent: Record<StatusChoice, string>;
} {
  const { status, ...others } = expectationsOf(expect);
  const shown = String(status);
  const sent = { success: SUCCESS, listed: "listed", any: "any" };
  if (expect === undefined) return { choice: "any", sent };
  if (status === undefined) return { choice: "success", sent: { ...sent, success: DEFAULT } };
  if (shown === SUCCESS) return { choice: "success", sent };
  const isAny = [EVERY_STATUS, EVERY_STATUS_TO_599].includes(shown) && Object.keys(others).length > 0;
  return isAny ? { choice: "any", sent: { ...sent, any: shown } } : { choice: "listed", sent };
}

export function showStatuses(expect: unknown): string {
  const { status } = expectationsOf(expect);
  return Array.isArray(status) ? status.join(", ") : "";
}

/** The expectations of a form, with the statuses that were chosen. @param others all other expectations */
function withStatus(data: FormData, at: string, others: object): object | undefined {
  const choice = data.get(`${at}.up`);
  if (choice === SUCCESS) return { status: [SUCCESS], ...others };
  if (choice === DEFAULT) return others;
  if (choice === "listed") return { status: readStatuses(data, `${at}.expect.status`), ...others };
  if (Object.keys(others).length === 0) return undefined;
  return { status: [choice === EVERY_STATUS_TO_599 ? choice : EVERY_STATUS], ...others };
}

function readStatuses(data: FormData, name: string): (number | string)[] {
  const words = (rawTextOf(data, name) ?? "").split(/[\s,]+/).filter(Boolean);
  return words.map((word) => (/^\d+$/.test(word) ? Number(word) : word));
}

/** The part of an answer that must stay the same, in a form. @property detail a path or the name of a header @property days text of a number */
interface ShownSame {
  part: "" | "body" | "text" | "json" | "header";
  detail: string;
  days: string;
}

export function sameOf(stored: unknown): ShownSame {
  const { of = "", keepDays = "" } = typeof stored === "object" ? Object(stored) : { of: stored };
  const [, part, detail = ""] = /^(body|text|json|header):?(.*)$/s.exec(String(of)) ?? [];
  return { part: (part ?? "") as ShownSame["part"], detail, days: String(keepDays) };
}

/** @param name of the choice and its detail @param stored what the form showed */
function readSame(data: FormData, name: string, stored: unknown): unknown {
  const [part = "", detail = ""] = data.getAll(name).map((value) => String(value).trim());
  const days = numberOf(data, `${name}.keepDays`);
  const shown = sameOf(stored);
  if (part === "") return undefined;
  if (part === shown.part && detail === shown.detail && String(days ?? "") === shown.days) return stored;
  const of = part === "json" || part === "header" ? `${part}:${detail}` : part;
  return days === undefined ? of : { of, keepDays: days };
}
