import { COMPONENT_LABELS, type ComponentStatus, worstStatus } from "../../domain/pages/component-status.ts";
import { DAY_LEVELS, type PublicComponent } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import { historyBar } from "./history-bar.ts";
import { time } from "./time.ts";
import { componentTones, dayWords, icon } from "./words.ts";

/** All components, in their order; components of a group are together under its name. */
export function componentSection(components: PublicComponent[]): Html {
  if (components.length === 0) return html``;
  return html`<section aria-labelledby="components"><h2 id="components">Components</h2>
${runsOf(components).map(({ group, members }) => card(group, members))}
${legend}
</section>`;
}

interface Run {
  /** Null for components without a group. */
  group: string | null;
  members: PublicComponent[];
}

/** Neighbors with the same group, or without one. */
function runsOf(components: PublicComponent[]): Run[] {
  const runs: Run[] = [];
  let previous: string | null | undefined;
  for (const component of components) {
    const id = component.group?.id ?? null;
    if (id !== previous) runs.push({ group: component.group?.name ?? null, members: [] });
    runs.at(-1)?.members.push(component);
    previous = id;
  }
  return runs;
}

function card(group: string | null, members: PublicComponent[]): Html {
  const list = html`<ul>${members.map(row)}</ul>`;
  if (group === null) return html`<div class="card">${list}</div>`;
  return html`<details class="card group" open>
<summary><h3><bdi>${group}</bdi></h3>${state(worstStatus(members))}</summary>
${list}</details>`;
}

function row(component: PublicComponent): Html {
  const { name, status, since } = component;
  const isHealthy = status === "operational";
  return html`<li class="component">
<div class="component-head"><span class="name"><bdi>${name}</bdi></span>${isHealthy ? "" : html`<span class="since">since ${time(since)}</span>`}${state(status)}</div>
${historyBar(component)}</li>
`;
}

function state(status: ComponentStatus): Html {
  const tone = componentTones[status];
  return html`<span class="state ${tone}">${icon(tone)}${COMPONENT_LABELS[status]}</span>`;
}

const legend = html`<ul class="legend" aria-label="Colors of the days">${DAY_LEVELS.toReversed().map(
  (level) => {
    const { label, mark } = dayWords[level];
    return html`<li><span class="days"><i class="${mark}"></i></span>${label}</li>`;
  },
)}<li>Days are in UTC</li></ul>`;
