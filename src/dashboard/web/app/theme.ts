import { base } from "./base.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Seconds. */
const YEAR = 31_536_000;

export function currentTheme(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset.theme) ?? "system";
}

/** Keeps the theme in a cookie, so that the server can send the page with it: the first paint then has it already. */
export function chooseTheme(theme: Theme): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const age = theme === "system" ? 0 : YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
  document.cookie = `stillup_theme=${theme}; Path=${base || "/"}; Max-Age=${age}; SameSite=Lax${secure}`;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
