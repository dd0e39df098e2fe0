import type { Page } from "playwright-core";

/** Pixels: the least height of what can be tapped. */
const LEAST = 44;

/**
 * Controls that a finger can hardly hit: their area is lower than 44 pixels. The area is what answers to a tap, with the label of a
 * field and what a link covers beside its text. A link inside a sentence is as high as its line, and what a dialog covers is not tapped.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${find})(${LEAST})`);
}

/** In the browser. The tests have no types of its own. */
const find = `(least) => {
  const controls = "a[href], button, input, select, textarea, summary, [role=option], [tabindex='0']";
  const isTarget = (control, element) => {
    const label = element?.closest("label");
    return element?.closest(controls) === control || (label && label.contains(control)) || label?.control === control;
  };
  const isInSentence = (control) => {
    if (control.tagName !== "A" || getComputedStyle(control).display !== "inline") return false;
    const sentence = control.closest("p, li, dd, td, div, footer").textContent;
    return sentence.trim().length > control.textContent.trim().length + 12;
  };
  const heightOf = (control) => {
    control.scrollIntoView({ block: "center" });
    const [{ left, top, width, height }] = control.getClientRects();
    const [x, y] = [left + width / 2, top + height / 2];
    const isHit = (at) => isTarget(control, document.elementFromPoint(x, at));
    if (!isHit(y)) return least;
    let [upper, lower] = [y, y];
    while (isHit(upper - 1) && y - upper < least) upper--;
    while (isHit(lower + 1) && lower - y < least) lower++;
    return Math.ceil(lower - upper + 1);
  };
  const isHidden = (control) =>
    control.disabled || !control.checkVisibility({ visibilityProperty: true }) ||
    control.closest(".visually-hidden, .skip-link, .skip") || control.offsetWidth < 2;
  const found = [...document.querySelectorAll(controls)]
    .filter((control) => !isHidden(control) && !isInSentence(control))
    .map((control) => [control, heightOf(control)])
    .filter(([, height]) => height < least)
    .map(([control, height]) => height + ": " + control.outerHTML.slice(0, 120));
  scrollTo(0, 0);
  return found;
}`;
