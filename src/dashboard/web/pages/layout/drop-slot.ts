import type { Slot } from "./move.ts";
import { groupWith, isGroup, type Layout } from "./page-layout.ts";

/** The place of a row on the screen. A group has the row of its name only. In pixels from the top of the window. */
export interface RowPlace {
  key: string;
  top: number;
  bottom: number;
}

/**
 * Where a component or a group is dropped: before or after the row under the pointer, depending on its half. Below the name
 * of a group begins the group.
 *
 * @param rows all rows from the top, that of `key` too
 * @param y of the pointer, in pixels from the top of the window
 */
export function dropSlot(layout: Layout, key: string, { rows, y }: { rows: RowPlace[]; y: number }): Slot {
  const row = rows.find(({ bottom }) => y < bottom);
  if (!row) return { group: null, before: null };
  if (layout.some((one) => one.key === key && isGroup(one))) return groupSlot(layout, row.key, { rows, y });
  const isUpper = y < middle([row]);
  const entry = layout.find((one) => one.key === row.key);
  if (entry && isGroup(entry))
    return isUpper
      ? { group: null, before: entry.key }
      : { group: entry.key, before: entry.components[0]?.key ?? null };
  const group = groupWith(layout, row.key);
  const siblings: Layout = group?.components ?? layout;
  return { group: group?.key ?? null, before: isUpper ? row.key : keyAfter(siblings, row.key) };
}

/** A group is dropped before or after the whole group under the pointer. */
function groupSlot(layout: Layout, row: string, { rows, y }: { rows: RowPlace[]; y: number }): Slot {
  const whole = groupWith(layout, row)?.key ?? row;
  const members = rows.filter(({ key }) => key === whole || groupWith(layout, key)?.key === whole);
  return { group: null, before: y < middle(members) ? whole : keyAfter(layout, whole) };
}

function keyAfter(entries: Layout, key: string): string | null {
  return entries[entries.findIndex((one) => one.key === key) + 1]?.key ?? null;
}

/** @param rows at least one, from the top */
function middle(rows: readonly RowPlace[]): number {
  return ((rows[0]?.top ?? 0) + (rows.at(-1)?.bottom ?? 0)) / 2;
}
