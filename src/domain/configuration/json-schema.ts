import type { TObject, TSchema } from "@sinclair/typebox";
import { channelConfigs } from "../alerts/channel.ts";
import { webhookConfigs } from "../alerts/webhook-format.ts";
import { monitorConfigs } from "../monitors/monitor.ts";
import { Ref } from "../schemas/format.ts";
import { ruleOf } from "../schemas/format-rules.ts";
import { ConfigurationDocument, entrySchemas, MonitorDefaults } from "./stored-configuration.ts";

/**
 * The JSON Schema of a configuration file, for editors (behavior 16.75). What it can't express, such as that a ref exists, only
 * `parseDocument` finds.
 */
export function configurationSchema(): JsonSchema {
  const { $schema, discover, channels, schedules, monitors, maintenances, pages, reports, history } =
    ConfigurationDocument.properties;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of stillup",
    type: "object",
    properties: {
      $schema: editorSchema($schema),
      discover: editorSchema(discover),
      defaults: defaultsSchema(),
      channels: byRef(channels, channelSchema()),
      schedules: byRef(schedules, editorSchema(entrySchemas.schedules)),
      monitors: byRef(monitors, monitorSchema()),
      maintenances: byRef(maintenances, maintenanceSchema()),
      pages: byRef(pages, editorSchema(entrySchemas.pages)),
      reports: byRef(reports, {
        ...editorSchema(entrySchemas.reports),
        oneOf: [requires("to"), requires("channelIds")],
      }),
      history: { ...editorSchema(history), propertyNames },
    },
    additionalProperties: false,
    allOf: [...requiredFields().map(requiredUnlessDefault), requestUnlessDefault()],
  };
}

const propertyNames = { pattern: Ref.pattern };

function byRef({ description }: { description?: string }, entry: JsonSchema): JsonSchema {
  return { type: "object", description, propertyNames, additionalProperties: entry };
}

function channelSchema(): JsonSchema {
  const byFormat = Object.entries(webhookConfigs).map(([format, config]) =>
    when({ format }, editorSchema(config), format !== "standard"),
  );
  const properties = { format: { enum: Object.keys(webhookConfigs) } };
  const webhook = { type: "object", properties, allOf: byFormat };
  return byType(editorSchema(entrySchemas.channels), {
    ...mapSchemas<TObject>(channelConfigs, editorSchema),
    WEBHOOK: webhook,
  });
}

function monitorSchema(): JsonSchema {
  // The defaults may have what a config requires.
  const configs = mapSchemas<TObject>(monitorConfigs, (config) => ({
    ...editorSchema(config),
    required: [],
  }));
  const { allOf, ...entry } = byType(editorSchema(entrySchemas.monitors), configs);
  const rhythm = { properties: { config: { not: { required: ["cron", "period"] } } } };
  const job = { properties: { ...rhythm.properties, ...absent("locations", "downWhen") } };
  return {
    ...entry,
    not: { required: ["alertChannelIds", "alertBindings"] },
    allOf: [...(allOf as JsonSchema[]), when({ type: "SCHEDULED" }, job)],
  };
}

function maintenanceSchema(): JsonSchema {
  const once = {
    required: ["startsAt", "endsAt"],
    properties: absent("cron", "timezone", "duration", "until"),
  };
  const repeated = { required: ["cron", "duration"], properties: absent("startsAt", "endsAt") };
  return { ...editorSchema(entrySchemas.maintenances), anyOf: [once, repeated] };
}

function defaultsSchema(): JsonSchema {
  const { properties, ...defaults } = editorSchema(MonitorDefaults) as { properties: { config: JsonSchema } };
  const fields = new Map<string, Set<string>>();
  for (const { properties: known } of Object.values<TObject>(monitorConfigs))
    for (const [name, field] of Object.entries(known)) {
      const schemas = fields.get(name) ?? new Set();
      fields.set(name, schemas.add(JSON.stringify(editorSchema(field))));
    }
  const anyType = [...fields].map(([name, schemas]) => [
    name,
    oneOrAny([...schemas].map((one) => JSON.parse(one))),
  ]);
  const config = {
    ...properties.config,
    properties: Object.fromEntries(anyType),
    additionalProperties: false,
  };
  return { ...defaults, properties: { ...properties, config } };
}

function oneOrAny(schemas: JsonSchema[]): unknown {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

/** An entry whose config depends on its type. */
function byType(entry: JsonSchema, configs: Record<string, JsonSchema>): JsonSchema {
  const { config, ...others } = entry.properties as Record<string, JsonSchema>;
  const properties = { ...others, config: { type: "object", description: config?.description } };
  const allOf = Object.entries(configs).map(([type, one]) => when({ type }, { properties: { config: one } }));
  return { ...entry, properties, allOf };
}

/** For each field that a config requires: the types that do. */
function requiredFields(): [field: string, types: string[]][] {
  const byField = new Map<string, string[]>();
  for (const [type, { required = [] }] of Object.entries<TObject>(monitorConfigs))
    for (const field of required) byField.set(field, [...(byField.get(field) ?? []), type]);
  return [...byField];
}

function requiredUnlessDefault([field, types]: [string, string[]]): JsonSchema {
  const isDefault = { required: ["defaults"], properties: { defaults: requires("config", requires(field)) } };
  const hasType = { required: ["type"], properties: { type: { enum: types } } };
  const entry = conditional(hasType, requires("config", requires(field)));
  return conditional({ not: isDefault }, { properties: { monitors: { additionalProperties: entry } } });
}

/** An HTTP monitor has a URL, or steps in its place (behavior 26.1). */
function requestUnlessDefault(): JsonSchema {
  const given = { anyOf: [requires("url"), requires("steps")] };
  const isDefault = { required: ["defaults"], properties: { defaults: requires("config", given) } };
  const entry = when({ type: "HTTP" }, requires("config", given));
  return conditional({ not: isDefault }, { properties: { monitors: { additionalProperties: entry } } });
}

function requires(field: string, schema?: JsonSchema): JsonSchema {
  return { required: [field], ...(schema && { properties: { [field]: schema } }) };
}

/** @param isRequired whether the field must be there; else the condition also holds without it */
function when(is: Record<string, string>, then: JsonSchema, isRequired = true): JsonSchema {
  const properties = Object.fromEntries(Object.entries(is).map(([name, value]) => [name, { const: value }]));
  return conditional({ properties, ...(isRequired && { required: Object.keys(is) }) }, then);
}

function conditional(condition: JsonSchema, then: JsonSchema): JsonSchema {
  return { if: condition, then };
}

function absent(...fields: string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, false]));
}

interface JsonSchema {
  [keyword: string]: unknown;
}

/**
 * For our own formats, which editors do not know: patterns that match all that the format accepts. They need not refuse all
 * that it refuses.
 */
const patterns: Record<string, string> = {
  name: "\\S",
  markdown: "\\S",
  "group-name": "\\S",
  "http-url": "^[hH][tT][tT][pP][sS]?://",
  slug: "^[a-z0-9-]{1,63}$",
  "date-time": "^\\d{4}-\\d\\d-\\d\\d[tT]\\d\\d:\\d\\d",
  email: "^[^@\\s]+@[^@\\s]+$",
  host: "^[^\\s/\\\\@?#%]+$",
  "host-name": "^[^\\s/\\\\@?#%]+$",
  cron: "^\\s*\\S+(\\s+\\S+){4}\\s*$",
  "status-range": "^([1-9]xx|[1-9]\\d\\d-[1-9]\\d\\d)$",
  "user-name": "^[^:]*$",
  "digest-user": "^[^:\\u0000-\\u001f\\u007f-\\u009f]*$",
  "slack-webhook-url": "^[hH][tT][tT][pP][sS]://",
  "discord-webhook-url": "^[hH][tT][tT][pP][sS]://",
  "teams-webhook-url": "^[hH][tT][tT][pP][sS]://",
};

const PLACEHOLDER = "\\$\\{";

/** The keywords whose values are schemas, lists of them, or objects of them. */
const NESTED = new Set([
  "items",
  "additionalProperties",
  "contains",
  "anyOf",
  "allOf",
  "oneOf",
  "properties",
]);

/** A schema of TypeBox for an editor: formats become patterns and words, and a placeholder may be in each text. */
function editorSchema(schema: TSchema): JsonSchema {
  return converted(JSON.parse(JSON.stringify(schema)));
}

function converted({ format, pattern, anyOf, ...keywords }: JsonSchema): JsonSchema {
  const words = wordsOf(anyOf);
  const nested = Object.entries({ ...keywords, ...(anyOf !== undefined && !words && { anyOf }) }).map(
    ([name, value]) => [name, NESTED.has(name) ? within(name, value) : value],
  );
  return {
    ...Object.fromEntries(nested),
    ...(words && { enum: words }),
    ...(keywords.type === "string" && textKeywords(keywords, { format, pattern })),
  };
}

function within(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (keyword === "properties") return mapSchemas(value as Record<string, JsonSchema>, converted);
  return typeof value === "object" ? converted(value as JsonSchema) : value;
}

function mapSchemas<T>(
  schemas: Record<string, T>,
  change: (schema: T) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, change(one)]));
}

/** The words of a union that has only words, for which editors offer a list. */
function wordsOf(schemas: unknown): unknown[] | undefined {
  if (!Array.isArray(schemas) || !schemas.every((one) => "const" in one)) return undefined;
  return schemas.map((one) => one.const);
}

function textKeywords({ description }: JsonSchema, { format, pattern }: JsonSchema): JsonSchema {
  const name = format as string | undefined;
  const wanted = pattern ?? (name && patterns[name]);
  const must = ruleOf(name)?.must;
  const sentences = [...(description ? [description] : []), ...(must ? [`Must ${must}.`] : [])];
  return {
    ...(wanted !== undefined && { pattern: `(${wanted})|${PLACEHOLDER}` }),
    ...(sentences.length > 0 && { description: sentences.join(" ") }),
  };
}
