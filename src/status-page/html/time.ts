import { iso } from "../../domain/iso-time.ts";
import { localTimeIn } from "../../domain/maintenance/windows.ts";
import { type Html, html } from "../../html.ts";
import { fillHtml, type Localization } from "../localization.ts";

/** For example `Nov 22, 15:05 UTC`. The script shows the zone of the reader instead. */
export function time({ moment }: Localization, at: number): Html {
  return timeElement(at, moment(at));
}

/**
 * For example `Nov 22, 15:05 to 16:20 UTC`, with the second date if it is another one, and with both zones if the clocks are
 * changed in between.
 */
export function timeSpan(local: Localization, from: number, to: number): Html {
  const { shownAt } = localTimeIn(local.timezone);
  const isOneZone = shownAt(to) - shownAt(from) === to - from;
  const start = isOneZone ? timeElement(from, local.momentWithoutZone(from)) : time(local, from);
  return fillHtml(local.texts.span, { from: start, to: timeAfter(local, from, to) });
}

/** For example `16:20 UTC`, with the date if the time before it has another one. */
export function timeAfter(local: Localization, before: number, at: number): Html {
  if (local.dayOf(before) !== local.dayOf(at)) return time(local, at);
  // `data-s`: the date is missing, for the script.
  return html`<time datetime="${iso(at)}" data-s>${local.clock(at)}</time>`;
}

function timeElement(at: number, text: string): Html {
  return html`<time datetime="${iso(at)}">${text}</time>`;
}
