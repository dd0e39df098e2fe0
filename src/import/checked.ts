import { parseDocument } from "../domain/configuration/parse-document.ts";
import { kindOf } from "../domain/configuration/plan.ts";
import { SECTIONS, type Section } from "../domain/configuration/stored-configuration.ts";
import { AppError } from "../errors.ts";
import {
  type Imported,
  type ImportedDocument,
  listOf,
  named,
  type Omitted,
  recordOf,
  textOf,
} from "./imported.ts";
import { type Environment, resolvedValue, variablesIn } from "./output-config.ts";

/** Why entries of a document could not be applied, by section and ref. */
type Faulty = Record<Section, Map<string, string>>;

/** A path of a fault, such as `monitors.shop.config.url` or `monitors["a.b"].config.url`. */
const PATH =
  /^(channels|schedules|monitors|maintenances|pages|reports)(?:\.([\w-]+)|\["([^"]*)"\])[.[]?(.*)$/s;

interface CheckedOptions {
  withSecrets: boolean;
  /** Values of variables of the other product, as far as they are known. */
  env?: Environment;
  /** The name of the other product, if its texts have variables of their own. */
  product?: string;
  /** Whether a monitor is one that the other product does not have. */
  isFurther?(monitor: unknown): boolean;
}

/**
 * The result of an importer without what could not be applied (behavior 16.117), and with a note of the variables that the other
 * product uses too.
 *
 * @param translate a pure function: to judge its document, the secrets are needed
 */
export function checkedImport(
  translate: (withSecrets: boolean) => Imported,
  { withSecrets, env = {}, product, isFurther }: CheckedOptions,
): Imported {
  const whole = translate(true);
  const faulty = faultyEntries(whole.document, env);
  const imported = withSecrets ? whole : translate(false);
  const { document, omitted } = withoutEntries(imported.document, faulty, isFurther);
  const variables = new Set(variablesIn(document));
  const secrets = imported.secrets.filter((name) => variables.delete(name));
  const others =
    product !== undefined && variables.size > 0
      ? [`apply needs these variables of ${product} too: ${[...variables].join(", ")}`]
      : [];
  return {
    ...{ document, secrets, found: imported.found, omitted: [...imported.omitted, ...omitted] },
    notes: [...imported.notes, ...others],
  };
}

/** Why stillup would refuse a value; undefined if it takes it. @param check throws an AppError for a wrong value */
export function faultIn(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/**
 * The entries of a document that could not be applied (behavior 16.117), such as a monitor whose name is too long.
 *
 * @param document with its secrets
 * @param env the variables of its placeholders, as far as they are known. An entry with another placeholder is not judged.
 */
function faultyEntries(document: ImportedDocument, env: Environment): Faulty {
  const faulty: Faulty = {
    channels: new Map(),
    schedules: new Map(),
    reports: new Map(),
    monitors: new Map(),
    maintenances: new Map(),
    pages: new Map(),
  };
  for (const { path, message } of parseDocument(resolvedValue(document, env)).faults) {
    const [, section, plain, quoted, field = ""] = PATH.exec(path) ?? [];
    const ref = plain ?? quoted;
    if (section === undefined || ref === undefined) continue;
    const entries = faulty[section as Section];
    const isKnown = variablesIn(document[section as Section]?.[ref]).every((name) => env[name] !== undefined);
    if (!entries.has(ref) && isKnown) entries.set(ref, `${field} ${message}`.trim());
  }
  return faulty;
}

/**
 * A document without some of its entries, and without what names them.
 *
 * @param isFurther whether a monitor is one that the other product does not have
 */
function withoutEntries(
  document: ImportedDocument,
  faulty: Faulty,
  isFurther: (monitor: unknown) => boolean = () => false,
): { document: ImportedDocument; omitted: Omitted[] } {
  const omitted = SECTIONS.flatMap((section) =>
    [...faulty[section]].map(([ref, why]) => ({
      ...{ what: whatOf(document, section, ref), why },
      ...(section === "monitors" && !isFurther(document.monitors?.[ref]) && { lost: {} }),
    })),
  );
  if (omitted.length === 0) return { document, omitted };
  const kept = { ...document };
  for (const section of SECTIONS) {
    const entries = Object.entries(document[section] ?? {}).filter(([ref]) => !faulty[section].has(ref));
    const without = entries.map(([ref, entry]) => [ref, withoutNames(entry, faulty)] as const);
    if (document[section])
      kept[section] = Object.fromEntries(without.filter(([, entry]) => !isForNone(entry)));
  }
  return { document: kept, omitted };
}

function whatOf(document: ImportedDocument, section: Section, ref: string): string {
  const { name, title } = recordOf(document[section]?.[ref]);
  return named(kindOf[section], textOf(name) ?? textOf(title) ?? ref);
}

function withoutNames(
  entry: Record<string, unknown>,
  { channels, monitors }: Faulty,
): Record<string, unknown> {
  const result = { ...entry };
  for (const field of ["alertChannelIds", "notifyChannelIds"])
    keep(result, field, (id) => !channels.has(String(id)));
  keep(result, "alertBindings", (binding) => !channels.has(String(recordOf(binding).alertChannelId)));
  keep(result, "dependsOn", (id) => !monitors.has(String(id)));
  keep(result, "components", (component) => !monitors.has(String(recordOf(component).monitorId)));
  if (recordOf(entry.selector).monitorIds !== undefined) {
    const selector = { ...recordOf(entry.selector) };
    keep(selector, "monitorIds", (id) => !monitors.has(String(id)));
    result.selector = selector;
  }
  return result;
}

function keep(object: Record<string, unknown>, field: string, isKept: (value: unknown) => boolean): void {
  if (Array.isArray(object[field])) object[field] = listOf(object[field]).filter(isKept);
}

/** A maintenance for no monitor. */
function isForNone({ selector }: Record<string, unknown>): boolean {
  const { monitorIds } = recordOf(selector);
  return Array.isArray(monitorIds) && monitorIds.length === 0;
}
