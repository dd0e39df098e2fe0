import type { PublicComponent, PublicDay } from "../../domain/pages/public-page.ts";
import { Html, html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { fill } from "../template.ts";
import { dayMarks } from "./tones.ts";

/** Maximum days with problems in the list: with all of them, the largest pages would exceed the size of behavior 15.43. */
const LISTED = 20;

/** One bar for each day, and in words the days with problems, for those who cannot see or point at the bars. */
export function historyBar(local: Localization, component: PublicComponent): Html {
  const { days } = component;
  const bad = days.filter(hasTrouble).reverse();
  const problems = countDays(local, bad.length);
  const label = local.plural(local.texts.history, days.length, { problems });
  return html`<div class="days" role="img" aria-label="${label}">${bars(local, days)}</div>
${scale(local, { days: days.length, figures: figures(local, component), bad, problems })}`;
}

/** One string instead of a template for each of thousands of bars. */
function bars(local: Localization, days: PublicDay[]): Html {
  const textOf = dayTexts(local);
  return new Html(
    days
      .map((day) => {
        const mark = dayMarks[day.level];
        return `<i${mark && ` class="${mark}"`} data-t="${Bun.escapeHTML(textOf(day))}"></i>`;
      })
      .join(""),
  );
}

/** For example `Nov 21: Problems, 99.31%`. */
function dayTexts({ texts, shortDate, percent }: Localization): (day: PublicDay) => string {
  const { colon, comma, day: labels } = texts;
  return ({ date, level, uptime }) => {
    const state = `${shortDate(date)}${colon}${labels[level]}`;
    return uptime === null ? state : `${state}${comma}${percent(uptime)}`;
  };
}

function figures({ texts, percent, latency }: Localization, { uptime, latencyMs }: PublicComponent): Html[] {
  return [
    html`<b>${uptime === null ? texts.noDataYet : fill(texts.uptime, { uptime: percent(uptime) })}</b>`,
    ...(latencyMs === null ? [] : [html` · <span title="${texts.meanLatency}">${latency(latencyMs)}</span>`]),
  ];
}

interface Scale {
  days: number;
  figures: Html[];
  bad: PublicDay[];
  problems: string;
}

/** The line below the bars, which opens the list of the days with problems. */
function scale(local: Localization, { days, figures, bad, problems }: Scale): Html {
  const { texts } = local;
  const from = html`<span>${local.daysAgo(days)}</span>`;
  const to = html`<span>${texts.today}</span>`;
  if (bad.length === 0)
    return html`<div class="scale">${from}<span class="figures">${figures}</span>${to}</div>`;
  const textOf = dayTexts(local);
  const rest = bad.length - LISTED;
  return html`<details class="trouble">
<summary class="scale">${from}<span class="figures">${figures} · <span class="more">${problems}</span></span>${to}</summary>
<ul>${bad.slice(0, LISTED).map((day) => html`<li>${textOf(day)}</li>`)}${rest > 0 ? html`<li>${local.plural(texts.andEarlier, rest)}</li>` : ""}</ul></details>`;
}

function hasTrouble({ level }: PublicDay): boolean {
  return level === "partial" || level === "down";
}

function countDays({ texts, plural }: Localization, count: number): string {
  return count === 0 ? texts.noDaysWithProblems : plural(texts.daysWithProblems, count);
}
