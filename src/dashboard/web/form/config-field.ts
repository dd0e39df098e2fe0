import type { ConfigField } from "../../../domain/schemas/schema.ts";
import type { Config } from "../data/api.ts";
import { numberIn, withoutEmpty } from "./field-errors.ts";
import { secondsIn } from "./fields.tsx";

/** The value of a field in a config; undefined if it has none. */
export function storedValue({ name }: { name: string }, config: Config): unknown {
  return name.split(".").reduce<unknown>((part, key) => (part as Config | undefined)?.[key], config);
}

/** The text that the control of a field shows for a value of the config. */
export function shownValue({ kind, choices }: ConfigField, value: unknown): string {
  switch (kind) {
    case "lines":
    case "texts":
    case "text-area":
      return showLines(value);
    case "words":
      return [value ?? []].flat().join(", ");
    case "escaped":
      return escaped(String(value ?? ""));
    case "choice":
      // The default that is stored by its name shows as the default.
      return choices?.some((choice) => choice.value === value) ? String(value ?? "") : "";
    default:
      return oneLine(String(value ?? ""));
  }
}

/**
 * The config in a form, as the API accepts it, without the fields that the form does not show.
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 * @param at its place in the values of the form, such as `config.steps.0`
 */
export function readConfig(
  fields: readonly ConfigField[],
  data: FormData,
  stored: Config,
  at = "config",
): Config {
  const config: Config = {};
  for (const field of fields) {
    const [first = "", second] = field.name.split(".");
    const value = valueIn(data, field, { stored, at });
    config[first] =
      second === undefined ? value : withoutEmpty({ ...(config[first] as Config), [second]: value });
  }
  return config;
}

function valueIn(
  data: FormData,
  field: ConfigField,
  { stored, at }: { stored: Config; at: string },
): unknown {
  const name = `${at}.${field.name}`;
  const entered = data.get(name);
  if (field.kind === "switch")
    return entered !== null || (storedValue(field, stored) === false ? false : undefined);
  if (entered === null) return undefined;
  if (field.kind === "duration") {
    const [amount = "", unit = ""] = data.getAll(name).map(String);
    return readValue(field, secondsIn(amount, unit));
  }
  const show = (value: unknown) => shownValue(field, value);
  return unlessEdited(entered, storedValue(field, stored), show, (text) => readValue(field, text));
}

function readValue({ kind, choices, isExact, isRequired }: ConfigField, entered: string): unknown {
  const text = isExact ? entered : entered.trim();
  if (text === "") return isRequired ? "" : undefined;
  switch (kind) {
    case "text-area":
      return entered;
    case "lines":
      return text.split(/\s*\n\s*/);
    case "texts": {
      const lines = entered.split("\n").filter((line) => line.trim() !== "");
      return lines.length > 1 ? lines : lines[0];
    }
    case "words":
      return text.split(/[\s,]+/).filter(Boolean);
    case "escaped":
      return unescaped(text);
    case "number":
    case "duration":
      return numberIn(text);
    case "choice":
      return choices?.find(({ value }) => String(value) === text)?.value;
    default:
      return text;
  }
}

/* A control cannot show each text exactly: an input has no line breaks, and a text area only one kind of line break. */

/**
 * The value of a field that may not show its stored value exactly: the stored value if the field still shows it.
 *
 * @param text the value of the field
 * @param show what the field shows for a stored value
 */
function unlessEdited<Value>(
  text: FormDataEntryValue | null,
  stored: unknown,
  show: (stored: unknown) => string,
  read: (text: string) => Value,
): unknown {
  const entered = String(text ?? "").replaceAll("\r\n", "\n");
  return stored !== undefined && entered === show(stored) ? stored : read(entered);
}

/** One text, or several texts in a text area, each on its own line. */
function showLines(stored: unknown): string {
  return [stored ?? ""].flat().join("\n").replace(/\r\n?/g, "\n");
}

/** A text as an input shows it. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, "");
}

const ESCAPES = { "\\": "\\\\", "\r": "\\r", "\n": "\\n", "\t": "\\t" };

/** A text with `\r`, `\n` and `\t` for the characters that an input cannot show. */
export function escaped(text: string): string {
  return text.replace(/[\\\r\n\t]/g, (character) => ESCAPES[character as keyof typeof ESCAPES]);
}

/** Reverses `escaped`. Another character after a backslash stays as it is. */
export function unescaped(text: string): string {
  return text.replace(
    /\\[\\rnt]/g,
    (sequence) => Object.entries(ESCAPES).find(([, one]) => one === sequence)?.[0] ?? sequence,
  );
}
