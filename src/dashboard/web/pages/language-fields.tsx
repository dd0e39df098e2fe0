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

const OPTIONS = [
  { value: "auto", label: "Language of the reader" },
  ...LANGUAGES.map((value) => ({ value, label: nameOf(value) })),
];

/** In the language itself, because readers of other languages may not know the English name. */
function nameOf(language: Language): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}
