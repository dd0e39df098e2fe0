import { Html } from "../html.ts";

type Values = Record<string, string>;

/** A template of a language with its values as text, for example `since {time}`. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** The same as HTML: the template and the values are escaped, except those that are `Html`. */
export function fillHtml(template: string, values: Record<string, string | Html>): Html {
  const markup = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Html ? value.markup : Bun.escapeHTML(value),
    ]),
  );
  return new Html(fill(Bun.escapeHTML(template), markup));
}
