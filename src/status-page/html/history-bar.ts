import { formatMeanLatency } from "../../domain/duration.ts";
import type { PublicComponent, PublicDay } from "../../domain/pages/public-page.ts";
import { Html, html } from "../../html.ts";
import { shortDate } from "./time.ts";
import { dayWords } from "./words.ts";

/** Maximum days with problems in the list: with all of them, the largest pages would exceed the size of behavior 15.43. */
const LISTED = 20;

/** One bar for each day, and in words the days with problems, for those who cannot see or point at the bars. */
export function historyBar({ days, uptime, latencyMs }: PublicComponent): Html {
  const bad = days.filter(hasTrouble).reverse();
  return html`<div class="days" role="img" aria-label="History of ${String(days.length)} days: ${countDays(bad.length)}">${bars(days)}</div>
${scale({ count: days.length, figures: figures(uptime, latencyMs), bad })}`;
}

/** One string instead of a template for each of thousands of bars. */
function bars(days: PublicDay[]): Html {
  return new Html(days.map(bar).join(""));
}

function bar(day: PublicDay): string {
  const { mark } = dayWords[day.level];
  return `<i${mark && ` class="${mark}"`} data-t="${Bun.escapeHTML(dayText(day))}"></i>`;
}

/** For example `Nov 21: Problems, 99.31%`. */
function dayText({ date, level, uptime }: PublicDay): string {
  const { label } = dayWords[level];
  return `${shortDate(date)}: ${uptime === null ? label : `${label}, ${uptime}`}`;
}

function figures(uptime: string | null, latencyMs: number | null): Html[] {
  return [
    html`<b>${uptime === null ? "No data yet" : `${uptime} uptime`}</b>`,
    ...(latencyMs === null
      ? []
      : [html` · <span title="Mean latency of the last 24 hours">${formatMeanLatency(latencyMs)}</span>`]),
  ];
}

/** The line below the bars, which opens the list of the days with problems. */
function scale({ count, figures, bad }: { count: number; figures: Html[]; bad: PublicDay[] }): Html {
  const from = html`<span>${String(count)} days ago</span>`;
  const to = html`<span>Today</span>`;
  if (bad.length === 0)
    return html`<div class="scale">${from}<span class="figures">${figures}</span>${to}</div>`;
  return html`<details class="trouble">
<summary class="scale">${from}<span class="figures">${figures} · <span class="more">${countDays(bad.length)}</span></span>${to}</summary>
<ul>${bad.slice(0, LISTED).map((day) => html`<li>${dayText(day)}</li>`)}${bad.length > LISTED ? html`<li>and ${String(bad.length - LISTED)} earlier</li>` : ""}</ul></details>`;
}

function hasTrouble({ level }: PublicDay): boolean {
  return level === "partial" || level === "down";
}

function countDays(count: number): string {
  if (count === 0) return "no days with problems";
  return count === 1 ? "1 day with problems" : `${count} days with problems`;
}
