import { LANGUAGES, type Language } from "../../../domain/pages/language.ts";
import type { Page } from "../data/api.ts";
import { SelectField } from "../form/fields.tsx";
import { Disclosure } from "../form/form.tsx";
import { ZoneField } from "../form/zone-field.tsx";

/** The language of the page and the zone of its times (behavior 21.10). */
export function LanguageFields({ stored }: { stored: Page | undefined }) {
  return (
    <Disclosure summary="Language and time zone" isOpen={false}>
      <SelectField
        name="language"
        label="Language"
        value={stored?.language ?? "auto"}
        options={OPTIONS}
        hint="Of the page, its feed and its e-mails. What you write stays as it is."
      />
      <ZoneField
        value={stored?.timezone ?? "UTC"}
        hint="Of the times in e-mails, in the feed, and on the page if scripts do not run. Days of the history are in UTC."
      />
    </Disclosure>
  );
}

/** In the language itself, because readers of other languages may not know the English name. */
const NAMES: Record<Language, string> = {
  ar: "العربية",
  cs: "Čeština",
  da: "Dansk",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fi: "Suomi",
  fr: "Français",
  he: "עברית",
  hi: "हिन्दी",
  hu: "Magyar",
  id: "Bahasa Indonesia",
  it: "Italiano",
  ja: "日本語",
  ko: "한국어",
  nb: "Norsk bokmål",
  nl: "Nederlands",
  pl: "Polski",
  "pt-BR": "Português (Brasil)",
  ro: "Română",
  ru: "Русский",
  sv: "Svenska",
  tr: "Türkçe",
  uk: "Українська",
  vi: "Tiếng Việt",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
};

const OPTIONS = [
  { value: "auto", label: "Language of the reader" },
  ...LANGUAGES.map((value) => ({ value, label: NAMES[value] })),
];
