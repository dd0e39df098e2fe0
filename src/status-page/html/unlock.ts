import { html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { htmlDocument } from "./document.ts";

/** Why a password did not open a page. */
export type UnlockFault = "wrong" | "limited";

/** The form for the password of a page. It shows the title and nothing else of the page (behavior 21.37). @param base its path */
export function unlockPage(
  local: Localization,
  { title, base }: { title: string; base: string },
  fault?: UnlockFault,
): string {
  const { unlock, limited } = local.texts;
  const said = fault === "wrong" ? unlock.wrong : limited.text;
  return htmlDocument({
    title: local.isolated(title),
    base,
    local,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><div class="card panel"><h1><bdi>${title}</bdi></h1>
<form method="post" action="${base}/unlock">
<label>${unlock.label}<input type="password" name="password" required autofocus autocomplete="current-password"${fault ? html` aria-invalid="true" aria-describedby="fault"` : ""}></label>
<button class="button" type="submit">${unlock.button}</button>
${fault ? html`<p class="fault" id="fault" role="alert">${said}</p>` : ""}
</form></div></main>`,
  });
}
