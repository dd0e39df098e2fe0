import type { TObject } from "@sinclair/typebox";
import { channelConfigs } from "../alerts/channel.ts";
import { webhookConfigs } from "../alerts/webhook-format.ts";
import { monitorConfigs } from "../monitors/monitor.ts";
import { Ref } from "../schemas/ref.ts";
import { ConfigurationDocument, entrySchemas, MonitorDefaults } from "./document.ts";
import { editorSchema, type JsonSchema, mapSchemas } from "./editor-schema.ts";

/**
 * The JSON Schema of a configuration file, for editors (behavior 16.75). What it can't express, such as that a ref exists, only
 * `parseDocument` finds.
 */
export function configurationSchema(): JsonSchema {
  const { $schema, channels, monitors, maintenances, pages, history } = ConfigurationDocument.properties;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of stillup",
    type: "object",
    properties: {
      $schema: editorSchema($schema),
      defaults: defaultsSchema(),
      channels: byRef(channels, channelSchema()),
      monitors: byRef(monitors, monitorSchema()),
      maintenances: byRef(maintenances, maintenanceSchema()),
      pages: byRef(pages, editorSchema(entrySchemas.pages)),
      history: { ...editorSchema(history), propertyNames },
    },
    additionalProperties: false,
    allOf: requiredFields().map(requiredUnlessDefault),
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
