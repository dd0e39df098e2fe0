/* The language of the page, as the server has written it into the HTML file (behavior 27.1). */

const root = typeof document === "undefined" ? undefined : document.documentElement;

/** One of the 27 languages. */
export const language = root?.lang || "en";

/** For `Intl`: the language, with the region of the browser if dates and numbers differ there. */
export const locale = root?.dataset.locale ?? language;

export const isEnglish = language === "en";

export const isRightToLeft = root?.dir === "rtl";

/** Letters of scripts from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name or an address in a sentence, with a direction of its own where it may be another one. */
export function isolated(value: string): string {
  return isRightToLeft || RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}
