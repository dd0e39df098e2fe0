import { LANGUAGES, readerOf } from "../../../src/domain/pages/reader-locale.ts";
import { type Localization, localizationOf } from "../../../src/status-page/localization.ts";

/** The localization of each language, with times in UTC. */
export const localizations: [language: string, local: Localization][] = LANGUAGES.map((language) => [
  language,
  localizationOf(readerOf(language, null), "UTC"),
]);

/** English, and times in UTC. */
export function english(): Localization {
  return localizationOf(readerOf("en", null), "UTC");
}

/** The localization of a reader, who may have a region. @param accepted the value of `Accept-Language` */
export function localFor(accepted: string, timezone = "UTC"): Localization {
  return localizationOf(readerOf("auto", accepted), timezone);
}
