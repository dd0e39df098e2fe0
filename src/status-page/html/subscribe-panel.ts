import { type Html, html } from "../../html.ts";

/** @param base the path of the page */
export function subscribePanel(base: string): Html {
  return html`<section id="subscribe" aria-labelledby="subscribe-title"><h2 id="subscribe-title">Subscribe to updates</h2>
<div class="card panel">${subscribeForm(base)}</div></section>`;
}

/** The form that asks for an opt-in message. @param base the path of the page @param fault what was wrong with the address */
export function subscribeForm(base: string, fault?: string): Html {
  const isWrong = fault !== undefined;
  return html`<p>Get an e-mail about incidents and maintenance. You confirm your address with the first message, and each message has a link that unsubscribes you.</p>
<form method="post" action="${base}/subscriptions">
<label>E-mail address<input type="email" name="email" required autocomplete="email"${isWrong ? html` aria-invalid="true" aria-describedby="fault"` : ""}></label>
<button class="button" type="submit">Subscribe</button>
${isWrong ? html`<p class="fault" id="fault" role="alert">${fault}</p>` : ""}
</form>`;
}
