import { type ComponentStatus, worstStatus } from "../../domain/pages/component-status.ts";
import { DAY_LEVELS, type PublicComponent } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { fillHtml } from "../template.ts";
import { historyBar } from "./history-bar.ts";
import { time } from "./time.ts";
import { componentTones, dayMarks, icon } from "./tones.ts";

/** All components, in their order; components of a group are together under its name. */
export function componentSection(local: Localization, components: PublicComponent[]): Html {
  if (components.length === 0) return html``;
  return html`<section aria-labelledby="components"><h2 id="components">${local.texts.components}</h2>
${runsOf(components).map((run) => card(local, run))}
${legend(local)}
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

function card(local: Localization, { group, members }: Run): Html {
  const list = html`<ul>${members.map((member) => row(local, member))}</ul>`;
  if (group === null) return html`<div class="card">${list}</div>`;
  return html`<details class="card group" open>
<summary><h3><bdi>${group}</bdi></h3>${state(local, worstStatus(members))}</summary>
${list}</details>`;
}

function row(local: Localization, component: PublicComponent): Html {
  const { name, status, since } = component;
  const began = () =>
    html`<span class="since">${fillHtml(local.texts.since, { time: time(local, since) })}</span>`;
  return html`<li class="component">
<div class="component-head"><span class="name"><bdi>${name}</bdi></span>${status === "operational" ? "" : began()}${state(local, status)}</div>
${historyBar(local, component)}</li>
`;
}

function state({ texts }: Localization, status: ComponentStatus): Html {
  const tone = componentTones[status];
  return html`<span class="state ${tone}">${icon(tone)}${texts.componentStatus[status]}</span>`;
}

function legend({ texts }: Localization): Html {
  return html`<ul class="legend" aria-label="${texts.colorsOfDays}">${DAY_LEVELS.toReversed().map(
    (level) => html`<li><span class="days"><i class="${dayMarks[level]}"></i></span>${texts.day[level]}</li>`,
  )}<li>${texts.utcDays}</li></ul>`;
}
