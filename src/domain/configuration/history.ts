import { KindGuard, type Static, type TSchema, Type } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { AppError, type ErrorKind } from "../../errors.ts";
import { closestWord } from "../closest-word.ts";
import { parseTime } from "../iso-time.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { isSecret } from "../schemas/format-rules.ts";
import { closed, described, mapOf } from "../schemas/schema.ts";
import { wrongFields } from "../schemas/validation.ts";

/** The most days of history that a document may have for a monitor. */
const MAX_DAYS = 400;

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** The results of one day. */
const DayCounts = Type.Object(
  {
    up: Type.Optional(described(Count, "How many checks were good.")),
    down: Type.Optional(described(Count, "How many checks were bad.")),
    latency: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 3_600_000,
        description: "The mean latency of the good checks, in milliseconds.",
      }),
    ),
  },
  closed,
);
export type DayCounts = Static<typeof DayCounts>;

/** Behavior 16.45. */
export const History = mapOf(mapOf(DayCounts), {
  description:
    "The past of new monitors, for a move from another product: by ref and UTC day. It is taken only when the same document " +
    "creates the monitor.",
  examples: [{ shop: { "2026-11-20": { up: 1437, down: 3, latency: 120 } } }],
});
export type History = Static<typeof History>;

/** The results of one day of a new monitor. @property day its start in UTC, in milliseconds since 1970 @property latency null if it is not known */
export interface NewDay {
  day: number;
  up: number;
  down: number;
  latency: number | null;
}
export type NewHistory = NewDay[];

/** @param at the path of the days @returns the days that are valid, oldest first */
export function parseDays(days: unknown, at: string, faults: Fault[]): NewHistory {
  const wrong = schemaFaults(mapOf(DayCounts, { maxProperties: MAX_DAYS }), days, at);
  if (wrong.length > 0) {
    faults.push(...wrong);
    return [];
  }
  const parsed: NewHistory = [];
  for (const [name, { up = 0, down = 0, latency = null }] of Object.entries(days as History[string])) {
    const day = DAY.test(name) ? parseTime(`${name}T00:00:00Z`) : null;
    if (day === null)
      faults.push({ path: `${at}.${name}`, message: "must be named by a day, such as 2026-11-20" });
    else if (up + down > 0) parsed.push({ day, up, down, latency });
  }
  return parsed.toSorted((one, other) => one.day - other.day);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Faults for days that have not begun. @param now milliseconds since 1970 */
export function historyFaults(history: ReadonlyMap<string, NewHistory>, now: number): Fault[] {
  return [...history].flatMap(([ref, days]) =>
    days.flatMap(({ day }) => {
      const path = `${fieldOf("history", ref)}.${new Date(day).toISOString().slice(0, 10)}`;
      return day > now ? [{ path, message: "must not be in the future" }] : [];
    }),
  );
}

/** Something that is wrong in a document. */
export interface Fault {
  /** Where, such as `monitors.shop.config.url`; as in the messages of the API. */
  path: string;
  /** The right value, in words that follow the path: `must be …`, `is required`. */
  message: string;
  /** The wrong text, if it is short and not a secret. */
  got?: string;
}

/** The most faults in one error. */
export const MAX_FAULTS = 100;

/** A document can't be applied. Its message has all faults. */
export class FaultsError extends AppError {
  readonly faults: readonly Fault[];

  /** @param faults at least one @param most so many are kept */
  constructor(
    faults: readonly Fault[],
    kind: Extract<ErrorKind, "invalid" | "limit_reached"> = "invalid",
    most = MAX_FAULTS,
  ) {
    const kept = faults.slice(0, most);
    super(kind, kept.map(({ path, message }) => `${path}: ${message}`).join("; "));
    this.faults = kept;
  }
}

/** The first faults of a value by its schema, at most `MAX_FAULTS`. @param at the path of the value */
export function schemaFaults(schema: TSchema, value: unknown, at: string): Fault[] {
  return wrongFields(schema, value, { at, most: MAX_FAULTS }).map(({ field, message, error }) => {
    const got = gotText(error);
    return { path: field, message: message + suggestion(error), ...(got !== undefined && { got }) };
  });
}

/** For an unknown field, the known one with almost the same name. */
function suggestion({ type, schema, path }: ValueError): string {
  if (type !== ValueErrorType.ObjectAdditionalProperties) return "";
  const known = closestWord(path.slice(path.lastIndexOf("/") + 1), Object.keys(schema.properties ?? {}));
  return known === undefined ? "" : `: did you mean ${known}?`;
}

/** Runs work that throws an `AppError` for a wrong value. @param at the path of what the message begins with @returns its fault */
export function faultOf(at: string, work: () => unknown): Fault[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof AppError) return [asFault(error, at)];
    throw error;
  }
}

/** An error of the API as a fault. @param at the path of the object that the message is about */
export function asFault({ message, errorCode }: AppError, at: string): Fault {
  const [, field, rest = ""] = FIELD_AND_REST.exec(message) ?? [];
  if (field === undefined) return { path: at, message };
  const path = field.startsWith("[") ? `${at}${field}` : `${at}.${field}`;
  // The message about an interval says what it is first.
  return { path, message: errorCode === "interval_too_short" ? rest.replace(/^.*: it /, "") : rest };
}

/** A sentence of the API: the path of a field, and what it must be. */
const FIELD_AND_REST = /^([a-z]\w*(?:\.[\w-]+|\["(?:[^"\\]|\\.)*"\])*) ((?:must|is|are|of) .*)$/s;

const MAX_GOT_LENGTH = 60;

/** The wrong text of a field; undefined for one that may contain a secret. */
function gotText({ type, schema, value }: ValueError): string | undefined {
  if (typeof value !== "string" || value.length > MAX_GOT_LENGTH) return undefined;
  if (type === ValueErrorType.ObjectAdditionalProperties || !isScalar(schema)) return undefined;
  if (isSecret(schema) || SECRET_FORMATS.has(schema.format ?? "")) return undefined;
  // User info and parameters of a URL.
  return URL_FORMATS.has(schema.format ?? "") && /[@?#]/.test(value) ? undefined : value;
}

/** Formats of what a check sends, and of the addresses and keys of services. */
const SECRET_FORMATS = new Set(["request-body", "sent-text", "webhook-secret", "pem-certificate"]);

/** A user and a password may be in these. */
const URL_FORMATS = new Set(["http-url", "proxy-url"]);

/** Whether a schema is for one value: in place of an object there may be a text with secrets. */
function isScalar(schema: TSchema): boolean {
  if (KindGuard.IsUnion(schema)) return schema.anyOf.every(isScalar);
  return schema.type !== "object" && schema.type !== "array";
}

/** The deepest nesting; valid documents have less. */
const DEEPEST = 16;

/** The most values besides the history. */
const MAX_VALUES = 500_000;

/**
 * Values that no document has, and that would take validation long or can't be stored: deep nesting, half a million values besides the
 * history, text with an unpaired surrogate, and values that JSON does not have.
 */
export function plainFaults(value: unknown): Fault[] {
  const problem = hasTooMany(value) ? TOO_MANY : problemOf(value, 0);
  return problem === undefined ? [] : [{ path: "the document", message: problem }];
}

const TOO_MANY = `must have at most ${MAX_VALUES} values besides its history`;

/** Whether a value, of any depth, has more values than a document may have. */
function hasTooMany(value: unknown): boolean {
  let left = MAX_VALUES;
  const { history: _, ...counted } = Object(value) as { history?: unknown };
  const waiting: unknown[] = [counted];
  // The list shrinks and grows while it is read.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inner = valuesIn(Object(next));
    left -= inner.length;
    if (left < 0) return true;
    for (const one of inner) if (typeof one === "object" && one !== null) waiting.push(one);
  }
  return false;
}

const PLAIN = new Set(["undefined", "number", "boolean"]);

function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "must be Unicode text: it has an unpaired surrogate";
  if (value === null || PLAIN.has(typeof value)) return undefined;
  if (typeof value !== "object") return "must have only values that JSON has";
  if (depth === DEEPEST) return `must be at most ${DEEPEST} levels deep`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return "must have only values that JSON has";
  for (const inner of valuesIn(value)) {
    const problem = problemOf(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `Object.values` of an array takes ten times as long as the array. */
function valuesIn(value: object): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(value);
}
