import type { Config } from "../../data/api.ts";
import { withoutEmpty } from "../../form/form-values.ts";
import { readPairs } from "../../form/rows/pair-values.ts";
import { oneLine, showLines, unlessEdited } from "../../form/shown-text.ts";
import { isFormat, type Service } from "./service.ts";
import { type ServiceField, serviceFields } from "./service-fields.ts";

/**
 * The config in a form, as the API accepts it, without empty fields (behavior 16.172).
 *
 * @param stored the config that the form showed; what was not edited stays as it is
 */
export function configOf(service: Service, data: FormData, stored: Config = {}): Config {
  const values = serviceFields[service].map((field) => [field.name, valueIn(data, field, stored)] as const);
  const config = values.filter(([name]) => optionIn(name) === undefined);
  const options = values.flatMap(([name, value]) => {
    const option = optionIn(name);
    return option === undefined ? [] : [[option, value] as const];
  });
  return withoutEmpty({
    ...Object.fromEntries(config),
    ...(isFormat(service) && {
      format: service === "standard" ? stored.format : service,
      options: options.length > 0 ? withoutEmpty(Object.fromEntries(options)) : stored.options,
      headers: readPairs(data, "config.headers"),
    }),
  });
}

/** The value of a field in a config; undefined if it has none. */
export function storedValue({ name }: ServiceField, config: Config): unknown {
  const option = optionIn(name);
  return option === undefined ? config[name] : ((config.options ?? {}) as Config)[option];
}

/** What the control of a field shows for a value of the config. */
export function shownValue({ kind, choices }: ServiceField, value: unknown): string {
  if (kind === "lines" || kind === "text-area") return showLines(value);
  // The default that is stored by its name shows as the default.
  if (kind === "choice" && !choices?.some((choice) => choice.value === value)) return "";
  return oneLine(String(value ?? ""));
}

function valueIn(data: FormData, field: ServiceField, config: Config): unknown {
  const stored = storedValue(field, config);
  const show = (value: unknown) => shownValue(field, value);
  return unlessEdited(data.get(`config.${field.name}`), stored, show, (text) => readValue(field, text));
}

function readValue({ kind, choices }: ServiceField, entered: string): unknown {
  const text = entered.trim();
  if (text === "") return undefined;
  switch (kind) {
    case "text-area":
      return entered;
    case "lines":
      return text.split(/\s*\n\s*/);
    case "number":
      // The validation refuses another text with its own sentence.
      return Number.isNaN(Number(text)) ? text : Number(text);
    case "choice":
      return choices?.find(({ value }) => String(value) === text)?.value;
    default:
      return text;
  }
}

/** The name of an option; undefined for another field of the config. */
function optionIn(name: string): string | undefined {
  return name.startsWith("options.") ? name.slice("options.".length) : undefined;
}
