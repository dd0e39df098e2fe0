import { useId } from "react";
import type { Language } from "../../../domain/pages/reader-locale.ts";
import { useSession } from "../app/session.tsx";
import { api, getData } from "../data/api.ts";
import { Failure, optionsOf, useAction } from "../ui/filters.tsx";
import { chooseLanguage, chosenLanguage } from "./choose-language.ts";
import { languageOptions } from "./language-names.ts";
import { texts } from "./texts.ts";

/** The language of the page: of a person in each browser, otherwise of this browser. It is loaded again in the new one. */
export function LanguagePicker() {
  const id = useId();
  const isPerson = useSession()?.personId !== undefined;
  const { error, busy, run } = useAction();
  const choose = async (chosen: Language | null) => {
    if (isPerson) await getData(api.me.patch({ language: chosen }));
    chooseLanguage(chosen);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{texts.people.language.label}</label>
      <select
        id={id}
        value={chosenLanguage() ?? ""}
        disabled={busy}
        onChange={({ currentTarget }) => run(() => choose((currentTarget.value || null) as Language | null))}
      >
        {optionsOf([{ value: "", label: texts.people.language.browser }, ...languageOptions()])}
      </select>
      <p className="text-hint">{isPerson ? texts.people.language.hint : texts.people.language.hintOfKey}</p>
      <Failure error={error} />
    </div>
  );
}
