import { localizationOf, wordsOf } from "../../../src/alerts/languages/localization.ts";
import type { AlertMessage } from "../../../src/domain/alerts/alert-event.ts";

/** The words that channels add to a message in English. */
export const words = wordsOf(localizationOf("en"));

/** A message as it is with the words of any language. */
export function withoutWords({ words: _, ...message }: AlertMessage): Omit<AlertMessage, "words"> {
  return message;
}
