import { AppError } from "../../errors.ts";

/** What a template of a custom request can contain (behavior 16.155). */
export const PLACEHOLDERS = [
  "monitor.name",
  "monitor.type",
  "status",
  "previousStatus",
  "reason",
  "since",
  "link",
  "id",
  "text",
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of the placeholders; an empty text for what a notification does not have. */
export type PlaceholderValues = Record<Placeholder, string>;

/** A part of a template: a text as it is, or a placeholder. */
export type TemplatePart = { text: string } | { placeholder: Placeholder };

/** Anything in double braces, so that an unknown name is found. */
const MARK = /\{\{([^{}]*)\}\}/g;

/** @throws AppError `invalid` for an unknown placeholder @param at the path of the template in the request */
export function parseTemplate(template: string, at: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: mark, 1: name = "", index } of template.matchAll(MARK)) {
    parts.push({ text: template.slice(end, index) }, { placeholder: known(name.trim(), at) });
    end = index + mark.length;
  }
  return [...parts, { text: template.slice(end) }];
}

function known(name: string, at: string): Placeholder {
  const placeholder = PLACEHOLDERS.find((one) => one === name);
  if (placeholder) return placeholder;
  const names = PLACEHOLDERS.map((one) => `{{${one}}}`).join(", ");
  throw new AppError("invalid", `${at} must have no other placeholders than ${names}`);
}

/** A template with its placeholders replaced by escaped values. It was validated when it was saved. */
export function fillTemplate(
  template: string,
  values: PlaceholderValues,
  escapeValue: (value: string) => string,
): string {
  return parseTemplate(template, "the template")
    .map((part) => ("text" in part ? part.text : escapeValue(values[part.placeholder])))
    .join("");
}
