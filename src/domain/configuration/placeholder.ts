import { MASK } from "../schemas/mask.ts";
import { kindOf } from "./plan.ts";
import type { Section, StoredConfiguration } from "./stored-configuration.ts";

/*
 * Placeholders in the texts of a configuration document: `${NAME}` becomes the value of a variable, and `$${` is a literal
 * `${` (behavior 16.91).
 */

const TOKEN = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g;

/** A part of a text: itself, the name of a variable, or where a `${` begins no placeholder. */
export type TextPart = { text: string } | { name: string } | { malformed: string };

/** Most characters of a malformed placeholder that a message shows. */
const SHOWN = 20;

export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: token, 1: name, index } of text.matchAll(TOKEN)) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    if (name !== undefined) parts.push({ name });
    else if (token === "$${") parts.push({ text: "${" });
    else parts.push({ malformed: text.slice(index, index + SHOWN) });
    end = index + token.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** The placeholder of a variable. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

/** A text as it is written in a document, so that nothing of it is a placeholder. */
export function literal(text: string): string {
  // A function, because `$$` in a replacement is one `$`.
  return text.replaceAll("${", () => "$${");
}

/** Chooses the variable for a secret, such as `SLACK_OPS_WEBHOOK_URL` for the parts `SLACK`, `ops` and `webhookUrl`. */
export type VariableNames = (...parts: string[]) => string;

/**
 * Names of variables, each one once. The same ones for the same parts in the same order.
 *
 * @param taken names that mean something else
 */
export function createVariableNames(taken: Iterable<string> = []): VariableNames {
  const used = new Set(taken);
  return (...parts) => {
    const base =
      parts
        .map(words)
        .filter(Boolean)
        .join("_")
        .replace(/^(?=\d)/, "_") || "SECRET";
    let name = base;
    for (let number = 2; used.has(name); number++) name = `${base}_${number}`;
    used.add(name);
    return name;
  };
}

/** `webhookUrl` and `webhook-url` are `WEBHOOK_URL`. */
function words(part: string): string {
  const separated = part.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  return separated.replaceAll(/[^A-Z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
}

/** Writes values as texts of a document: see `placeholder.ts`. */
export interface SecretWriter {
  /** A value without secrets. */
  plain<Value>(value: Value): Value;
  /**
   * A value with a placeholder for each secret.
   *
   * @param masked the same value with `•••` for each secret
   * @param owner what names a variable, besides the field: the type and the ref
   */
  masked<Value>(value: Value, masked: unknown, owner: string[]): Value;
  /** The variables of the placeholders that were written, in their order. */
  variables(): string[];
}

export function createSecretWriter(): SecretWriter {
  const nameOf = createVariableNames();
  const names: string[] = [];

  function write(value: unknown, masked: unknown, parts: string[]): unknown {
    if (masked === MASK && value !== undefined) {
      const name = nameOf(...parts);
      names.push(name);
      return placeholder(name);
    }
    if (typeof value === "string") return literal(value);
    if (Array.isArray(value)) {
      const items: unknown[] = Array.isArray(masked) ? masked : [];
      return value.map((item, at) => write(item, items[at], parts));
    }
    if (typeof value !== "object" || value === null) return value;
    const known = new Map(Object.entries((masked ?? {}) as object));
    const [type = "", ref = ""] = parts;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [
        field,
        write(inner, known.get(field), [type, ref, field]),
      ]),
    );
  }

  return {
    plain: (value) => write(value, undefined, []) as typeof value,
    masked: (value, masked, owner) => write(value, masked, owner) as typeof value,
    variables: () => [...names],
  };
}

const MAX_REF_LENGTH = 100;

/** Proposes the ref for a name: the same one for the same names in the same order, and each one once. */
export type RefNames = (name: string) => string;

/**
 * Refs for things of one kind that have only a name, such as `shop-front-2` for the second `Shop Front` (behavior 16.90).
 *
 * @param fallback the ref if a name has no letter and no digit of ASCII, such as `monitor`
 * @param taken refs that exist already
 */
export function createRefNames(fallback: string, taken: Iterable<string> = []): RefNames {
  const used = new Set(taken);
  /** By the ref without a number: the number that is tried next, so that many equal names are not slow. */
  const next = new Map<string, number>();
  return (name) => {
    const base = refOf(name) || fallback;
    let ref = base;
    let number = next.get(base) ?? 2;
    while (used.has(ref)) ref = numbered(base, number++);
    next.set(base, number);
    used.add(ref);
    return ref;
  };
}

function numbered(base: string, number: number): string {
  const end = `-${number}`;
  return withoutEdges(base.slice(0, MAX_REF_LENGTH - end.length)) + end;
}

/** Letters without their accents, in lower case, and a hyphen for all that a ref cannot have. Empty if nothing is left. */
function refOf(name: string): string {
  // A longer name is cut first: each step below reads it as a whole.
  const plain = name
    .slice(0, 4 * MAX_REF_LENGTH)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "");
  const ref = plain
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^a-z0-9._]+/g, "-");
  return withoutEdges(withoutEdges(ref).slice(0, MAX_REF_LENGTH));
}

function withoutEdges(ref: string): string {
  return ref.replace(/^[._-]+/, "").replace(/[._-]+$/, "");
}

/** The ref of each object by its ID: the stored ref, or a proposed ref. */
export type ProposedRefs = Record<Section, ReadonlyMap<string, string>>;

/** Proposes a ref for what has none, from its name (behavior 16.52): the same ones for the same objects. */
export function proposeRefs(stored: StoredConfiguration): ProposedRefs {
  return {
    channels: refsOf("channels", stored),
    schedules: refsOf("schedules", stored),
    monitors: refsOf("monitors", stored),
    maintenances: refsOf("maintenances", stored),
    pages: refsOf("pages", stored),
    reports: refsOf("reports", stored),
  };
}

function refsOf(section: Section, stored: StoredConfiguration): Map<string, string> {
  const objects: readonly Named[] = stored[section];
  const nameOf = createRefNames(
    kindOf[section],
    objects.flatMap(({ ref }) => ref ?? []),
  );
  return new Map(objects.map(({ id, ref, name, title }) => [id, ref ?? nameOf(name ?? title ?? "")]));
}

export interface Named {
  id: string;
  ref: string | null;
  name?: string;
  title?: string;
}
