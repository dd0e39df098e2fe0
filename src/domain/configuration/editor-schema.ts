import type { TSchema } from "@sinclair/typebox";
import { ruleOf } from "../schemas/format-rules.ts";

export interface JsonSchema {
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
  "status-range": "^([1-5]xx|[1-5]\\d\\d-[1-5]\\d\\d)$",
  "user-name": "^[^:]*$",
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
export function editorSchema(schema: TSchema): JsonSchema {
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

export function mapSchemas<T>(
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
