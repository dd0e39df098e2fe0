import type { Component } from "../../../../domain/pages/page-request.ts";
/** A component in the editor. `key` identifies it there, also before it is saved. */
export interface ComponentEntry {
  key: string;
  /** Undefined until it is saved. */
  id?: string;
  monitorId: string;
  /** Replaces the name of the monitor; empty if it does not. */
  name: string;
}

export interface GroupEntry {
  key: string;
  name: string;
  components: readonly ComponentEntry[];
}

export type Entry = ComponentEntry | GroupEntry;

/** The components of a page in their order, with the components of a group together, as readers of the page see them. */
export type Layout = readonly Entry[];

/** A component as the API accepts it. */
interface ComponentBody {
  id?: string;
  monitorId: string;
  name?: string;
  group?: string;
}

export function isGroup(entry: Entry): entry is GroupEntry {
  return "components" in entry;
}

/** The layout of stored components. A group is at the place of its first component. */
export function layoutOf(stored: readonly Component[]): Layout {
  const layout: (ComponentEntry | (GroupEntry & { components: ComponentEntry[] }))[] = [];
  const groups = new Map<string, ComponentEntry[]>();
  for (const { id, monitorId, name, group } of stored) {
    const entry = { key: id, id, monitorId, name: name ?? "" };
    const components = group === null ? layout : groups.get(group);
    if (components) components.push(entry);
    else if (group !== null) {
      const first = [entry];
      groups.set(group, first);
      layout.push({ key: `group of ${id}`, name: group, components: first });
    }
  }
  return layout;
}

/** The components of a layout as the API accepts them. Groups without components do not exist there. */
export function componentsOf(layout: Layout): ComponentBody[] {
  return layout.flatMap((entry) =>
    isGroup(entry) ? entry.components.map((one) => bodyOf(one, entry.name.trim())) : [bodyOf(entry)],
  );
}

function bodyOf({ id, monitorId, name }: ComponentEntry, group?: string): ComponentBody {
  const shown = name.trim();
  return {
    ...(id !== undefined && { id }),
    monitorId,
    ...(shown !== "" && { name: shown }),
    ...(group !== undefined && { group }),
  };
}

/** All components of a layout in their order. */
export function componentEntries(layout: Layout): ComponentEntry[] {
  return layout.flatMap((entry) => (isGroup(entry) ? entry.components : [entry]));
}

/** The group with a key. */
export function findGroup(layout: Layout, key: string | null): GroupEntry | undefined {
  return layout.filter(isGroup).find((group) => group.key === key);
}

/** The group that has a component; undefined if none has it. */
export function groupWith(layout: Layout, key: string): GroupEntry | undefined {
  return layout.filter(isGroup).find(({ components }) => components.some((one) => one.key === key));
}

/** Replaces the text of a component or a group. */
export function rename(layout: Layout, key: string, name: string): Layout {
  const renamed = <One extends Entry>(one: One): One => (one.key === key ? { ...one, name } : one);
  return layout.map((entry) =>
    isGroup(entry)
      ? { ...renamed(entry), components: entry.components.map((one) => renamed(one)) }
      : renamed(entry),
  );
}

/** Without a component, or without a group: its components then stay at its place. */
export function remove(layout: Layout, key: string): Layout {
  return layout.flatMap((entry): Entry[] => {
    if (!isGroup(entry)) return entry.key === key ? [] : [entry];
    if (entry.key === key) return [...entry.components];
    return [{ ...entry, components: entry.components.filter((one) => one.key !== key) }];
  });
}
