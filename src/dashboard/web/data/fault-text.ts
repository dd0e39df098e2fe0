import type { SaidFault } from "../../../domain/schemas/validation.ts";
import type { EnglishPlural } from "../../languages/table.ts";
import { language } from "../languages/locale.ts";
import { fill, formOf, loadTexts, texts } from "../languages/texts.ts";

/* Faults as texts of the page (behavior 27.72). `texts.faults` may be missing: its file is loaded with the forms, or at the first refusal. */

/**
 * The text of a fault beside its field, or of one that has none.
 *
 * @param entry the name of the entry of the field that the fault is about, such as a header
 * @returns undefined if the page has no text for it
 */
export function textOfFault(
  { code, field, values }: Omit<SaidFault, "sentence">,
  entry = "",
): string | undefined {
  const room = texts.faults as Partial<Record<string, string | EnglishPlural>> | undefined;
  const known = code === "name" && field !== "name" ? "title" : code;
  const text = (values.got !== undefined && room?.[`${known}Got`]) || room?.[known];
  if (!text) return undefined;
  const form = typeof text === "string" ? text : formOf(text, Number(values.count));
  // As texts, because ports and limits have no separators between their digits.
  const shown = Object.entries({ ...values, entry: entry || field }).map(([name, value]) => [
    name,
    String(value),
  ]);
  const filled = fill<string>(form, Object.fromEntries(shown));
  return entry === "" || form.includes("{entry}")
    ? filled
    : fill(texts.faults.ofEntry, { entry, text: filled });
}

/** The sentence of the API, or the code of a fault that the page finds while its texts cannot be loaded. */
export function sentenceOf({ code, sentence }: SaidFault): string {
  return sentence || code;
}

/** The text of a fault where its field is not shown. The sentence of the API names the field in English. */
export function textElsewhere(fault: SaidFault): string {
  const { field, sentence } = fault;
  const text = language === "en" && sentence !== "" ? undefined : textOfFault(fault);
  if (text === undefined) return sentenceOf(fault);
  return field === "" ? text : fill(texts.faults.ofField, { field, text });
}

/** A refusal of the server. Without the texts, its text is the sentence. @param named the header `stillup-fault` */
export async function readFault(
  named: string,
  sentence: string,
): Promise<{ fault: SaidFault; text: string }> {
  const fault: SaidFault = { ...JSON.parse(named), sentence };
  await loadTexts("faults").catch(() => {});
  return { fault, text: textElsewhere(fault) };
}
