/* Schemas in the form that generators of clients understand. */

export interface JsonSchema {
  title?: string;
  description?: string;
  type?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  $ref?: string;
  [keyword: string]: unknown;
}

export type Contents = Record<string, { schema: JsonSchema }>;

export interface Naming {
  /** The named schemas so far. */
  schemas: Record<string, JsonSchema>;
  isResponse: boolean;
}

/**
 * A schema in the words that generators know: enums, types that include null, and choices with a discriminator (behavior 16.181).
 *
 * @returns a reference if the schema has a title; the schema is then added to `schemas`
 * @throws Error if another schema has this title
 */
export function simplify({ title, ...schema }: JsonSchema, naming: Naming): JsonSchema {
  const given = title === undefined ? schema : withVariants(title, schema);
  const simple = withoutEmptyParts(withEnum(withNull(simplifyParts(given, naming))));
  return title === undefined ? simple : reference(title, simple, naming);
}

/** The formats of digits, each with its smallest number. */
const smallestNumbers: Record<string, number | undefined> = { "page-size": 1, digits: 0 };

/** The schema of a parameter, which is text on the wire. */
export function parameterSchema(schema: JsonSchema): JsonSchema {
  const simple = simplify(schema, { schemas: {}, isResponse: false });
  const minimum = smallestNumbers[String(simple.format)];
  if (minimum === undefined) return simple;
  const { format: _, ...rest } = simple;
  return { ...rest, type: "integer", minimum };
}

function reference(title: string, { description, ...schema }: JsonSchema, { schemas }: Naming): JsonSchema {
  const known = schemas[title];
  const { description: knownDescription, ...knownSchema } = known ?? {};
  if (known && JSON.stringify(knownSchema) !== JSON.stringify(schema))
    throw new Error(`two different schemas have the title ${title}`);
  schemas[title] ??= { ...(description !== undefined && { description }), ...schema };
  const hasOwn = known && description !== undefined && description !== knownDescription;
  return { ...(hasOwn && { description }), $ref: referenceTo(title) };
}

function referenceTo(title: string): string {
  return `#/components/schemas/${title}`;
}

function simplifyParts(schema: JsonSchema, naming: Naming): JsonSchema {
  const { properties, items, additionalProperties, anyOf, pattern, ...rest } = schema;
  const closed = { ...naming, isResponse: false };
  const isOpen = naming.isResponse && additionalProperties === false;
  return {
    ...rest,
    // A format says more. Some generators do not accept both.
    ...(pattern !== undefined && schema.format === undefined && !naming.isResponse && { pattern }),
    ...(properties && {
      // A config has one name in requests and responses.
      properties: mapValues(properties, (part, name) => simplify(part, name === "config" ? closed : naming)),
    }),
    ...(items && { items: simplify(items, naming) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: simplify(additionalProperties, naming),
    }),
    ...(typeof additionalProperties === "boolean" && !isOpen && { additionalProperties }),
    ...(anyOf && simplifyChoice(anyOf, naming)),
  };
}

/** The members of a choice that nothing but their fields tells apart stay closed. */
function simplifyChoice(anyOf: JsonSchema[], naming: Naming): JsonSchema {
  const discriminator = discriminatorOf(anyOf);
  const isOpen = isNullable(anyOf) || discriminator !== undefined;
  const members = { ...naming, isResponse: naming.isResponse && isOpen };
  return { anyOf: anyOf.map((one) => simplify(one, members)), ...(discriminator && { discriminator }) };
}

/** The required field that has another constant in each member of a choice. */
function discriminatorOf(anyOf: JsonSchema[]): object | undefined {
  const wordOf = (one: JsonSchema, name: string) =>
    one.title && one.required?.includes(name) ? one.properties?.[name]?.const : undefined;
  const propertyName = anyOf[0]?.required?.find((name) => {
    const words = anyOf.map((one) => wordOf(one, name));
    return words.every((word) => typeof word === "string") && new Set(words).size === words.length;
  });
  if (propertyName === undefined) return undefined;
  const mapping = anyOf.map((one) => [wordOf(one, propertyName), referenceTo(one.title ?? "")]);
  return { propertyName, mapping: Object.fromEntries(mapping) };
}

/**
 * An object whose `type` decides about its `config` is a choice of one object for each type: `HttpMonitor` and so on. The schema
 * has the configs in the order of the types.
 */
function withVariants(title: string, schema: JsonSchema): JsonSchema {
  const { type: kind, config } = schema.properties ?? {};
  const configs = config?.anyOf ?? [];
  const types = wordsOf(kind);
  if (types.length < 2 || configs.length !== types.length) return schema;
  const { examples, description: own, ...variant } = schema;
  const anyOf = types.map((type, at) => ({
    ...variant,
    title: `${type.charAt(0)}${type.slice(1).toLowerCase()}${title}`,
    properties: {
      ...schema.properties,
      type: { const: type, type: "string" },
      config: configs[at] ?? {},
    },
  }));
  return {
    ...(own !== undefined && { description: own }),
    ...(examples !== undefined && { examples }),
    anyOf,
  };
}

/** The words of a choice of constants. */
function wordsOf({ anyOf = [] }: JsonSchema = {}): string[] {
  const words = anyOf.map((one) => one.const);
  return words.every((word) => typeof word === "string") ? words : [];
}

/** A choice between a simple type and null is one type. */
function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!anyOf || !isNullable(anyOf)) return schema;
  const { type, enum: words, ...value } = anyOf[0] ?? {};
  if (typeof type !== "string" || type === "object") return schema;
  return { ...value, ...rest, type: [type, "null"], ...(words && { enum: [...words, null] }) };
}

/** The constants of a choice are one enum. */
function withEnum(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const constants = anyOf.filter((one) => "const" in one);
  const others = anyOf.filter((one) => !("const" in one));
  if (constants.length < 2) return schema;
  const choice = { type: constants[0]?.type, enum: constants.map((one) => one.const) };
  return others.length === 0 ? { ...rest, ...choice } : { ...rest, anyOf: [choice, ...others] };
}

/** Removes empty `properties`: a choice or a map has none. */
function withoutEmptyParts(schema: JsonSchema): JsonSchema {
  const { properties, ...rest } = schema;
  if (!properties || Object.keys(properties).length > 0) return schema;
  const { type, additionalProperties, ...choice } = rest;
  return choice.anyOf === undefined ? rest : choice;
}

function isNullable(anyOf: JsonSchema[]): boolean {
  return anyOf.length === 2 && anyOf[1]?.type === "null";
}

function mapValues<T, U>(parts: Record<string, T>, map: (part: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, map(part, name)]));
}
