import type { TSchema } from "@sinclair/typebox";
import { Check } from "@sinclair/typebox/value";
import { MonitorEntry } from "../configuration/stored-configuration.ts";
import { outlineOf } from "../json-outline.ts";
import { MONITOR_TYPES } from "../monitors/kinds/kinds.ts";
import { monitorConfigs } from "../monitors/monitor.ts";

/** The place of a field in an entry, and the schemas of its value: none if the field is not known. */
export interface Place {
  path: string[];
  schemas: TSchema[];
}

/**
 * The place of a field that a label names with dots, such as `expect.status` (behavior 28.31). A field that an entry does not have is
 * one of its config. What follows the name of a map is one key: `expect.json.$.state` is the key `$.state`.
 *
 * @param type of the monitor; also one that does not exist
 */
export function placeOf(parts: readonly string[], type: string): Place {
  const [first = "", ...rest] = parts;
  const entrySchema = property(MonitorEntry, first);
  if (entrySchema && first !== "config") return within([entrySchema], [first], rest);
  const config = MONITOR_TYPES.find((known) => known === type);
  const schemas = config ? [monitorConfigs[config]] : [];
  if (first !== "config") return within(schemas, ["config"], parts);
  // A whole config has fields of any type.
  return rest.length === 0 ? { path: ["config"], schemas: [ANY_OBJECT] } : within(schemas, ["config"], rest);
}

const ANY_OBJECT = MonitorEntry.properties.config;

function within(schemas: readonly TSchema[], path: string[], rest: readonly string[]): Place {
  const [name, ...deeper] = rest;
  if (name === undefined) return { path, schemas: [...schemas] };
  const options = schemas.flatMap(optionsOf);
  const known = options.flatMap((schema) => property(schema, name) ?? []);
  if (known.length > 0) return within(known, [...path, name], deeper);
  const values = options.flatMap(mapValue);
  if (values.length > 0) return { path: [...path, rest.join(".")], schemas: values };
  return { path: [...path, ...rest], schemas: [] };
}

function property({ properties }: TSchema, name: string): TSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The parts of a union, else the schema itself. */
function optionsOf(schema: TSchema): TSchema[] {
  return Array.isArray(schema.anyOf) ? (schema.anyOf as TSchema[]).flatMap(optionsOf) : [schema];
}

/** The schema of the values of a map, which has them under any names. */
function mapValue({ type, additionalProperties }: TSchema): TSchema[] {
  return type === "object" && typeof additionalProperties === "object" ? [additionalProperties] : [];
}

/**
 * The value that a text means (behavior 28.32): what the schema accepts is taken first as a number, a boolean, an array or an object
 * of JSON, then as a text, then as a list with commas. If nothing fits, it is the text, so that its fault is the one of a document.
 *
 * @param schemas whose formats are registered
 */
export function convertText(text: string, schemas: readonly TSchema[]): unknown {
  for (const convert of [asJson, asText, asList])
    for (const schema of schemas) {
      const value = convert(text, schema);
      if (value !== undefined && Check(schema, value)) return value;
    }
  return text;
}

function asJson(text: string): unknown {
  if (!/^\s*[-\d{[tf]/.test(text) || isTooMuch(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A million levels take a second to parse, and no function that calls itself can follow them. No field has as many levels or parts. */
function isTooMuch(text: string): boolean {
  if (text.length < 64) return false;
  const { depth, parts } = outlineOf(new TextEncoder().encode(text));
  return depth > 32 || parts > 10_000;
}

function asText(text: string): string {
  return text;
}

/** No field has more. */
const MAX_ITEMS = 1000;

function asList(text: string, schema: TSchema): unknown {
  const array = optionsOf(schema).find(({ type }) => type === "array");
  if (!array) return undefined;
  const items = text.split(",", MAX_ITEMS + 1).map((item) => item.trim());
  if (items.length > MAX_ITEMS) return undefined;
  return items.filter((item) => item !== "").map((item) => convertText(item, [array.items as TSchema]));
}
