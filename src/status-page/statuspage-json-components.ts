import { iso } from "../domain/iso-time.ts";
import { type ComponentStatus, worstStatus } from "../domain/pages/component-status.ts";
import type { PublicComponent, PublicPage } from "../domain/pages/public-page.ts";

/** A component, or a group of components. */
export interface ComponentJson {
  id: string;
  name: string;
  status: ComponentStatus;
  created_at: string;
  updated_at: string;
  /** From 1, among the members of its group, or among the groups and the components without one. */
  position: number;
  description: null;
  /** Whether the page shows its uptime. */
  showcase: boolean;
  /** The day on which its history starts. */
  start_date: string | null;
  group_id: string | null;
  page_id: string;
  group: boolean;
  only_show_if_degraded: false;
  /** The IDs of the members; only of a group. */
  components?: string[];
}

/** Components and groups in the order of the page; a group precedes its members (behavior 15.56). */
export function componentsJson(page: PublicPage): ComponentJson[] {
  return sectionsOf(page).flatMap((members, index) => {
    const group = members[0]?.group;
    if (!group) return members.map((component) => componentJson(page, component, index + 1));
    return [
      groupJson(page, { ...group, members }, index + 1),
      ...members.map((component, place) => componentJson(page, component, place + 1)),
    ];
  });
}

/** The components with these IDs, without groups. */
export function only(components: ComponentJson[], ids: string[]): ComponentJson[] {
  return components.filter(({ id, group }) => !group && ids.includes(id));
}

/** The members of each group; a component without a group is alone. */
function sectionsOf({ components }: PublicPage): PublicComponent[][] {
  const sections: PublicComponent[][] = [];
  for (const component of components) {
    const section = sections.at(-1);
    const isMember = component.group !== null && section?.[0]?.group?.id === component.group.id;
    if (isMember) section?.push(component);
    else sections.push([component]);
  }
  return sections;
}

function componentJson(page: PublicPage, component: PublicComponent, position: number): ComponentJson {
  const { id, name, status, createdAt, since, group } = component;
  return {
    id,
    name,
    status,
    created_at: iso(createdAt),
    updated_at: iso(since),
    position,
    description: null,
    showcase: true,
    start_date: iso(createdAt).slice(0, 10),
    group_id: group?.id ?? null,
    page_id: page.id,
    group: false,
    only_show_if_degraded: false,
  };
}

interface Group {
  id: string;
  name: string;
  members: PublicComponent[];
}

function groupJson(page: PublicPage, { id, name, members }: Group, position: number): ComponentJson {
  return {
    id,
    name,
    status: worstStatus(members),
    created_at: iso(Math.min(...members.map(({ createdAt }) => createdAt))),
    updated_at: iso(Math.max(...members.map(({ since }) => since))),
    position,
    description: null,
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: page.id,
    group: true,
    only_show_if_degraded: false,
    components: members.map((member) => member.id),
  };
}
