/** HTML, as opposed to text. Only `html` creates it. */
export class Html {
  constructor(readonly markup: string) {}
}

/** A template that escapes its values, except those that are `Html`. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
}

function markupOf(value: string | Html | Html[]): string {
  if (Array.isArray(value)) return value.map(markupOf).join("");
  return value instanceof Html ? value.markup : Bun.escapeHTML(value);
}
