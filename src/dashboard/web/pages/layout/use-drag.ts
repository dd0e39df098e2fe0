import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { fill, texts } from "../../languages/texts.ts";
import { type Entry, findGroup, groupWith, isGroup, type Layout } from "./page-layout.ts";

export interface Drag {
  /** The key of the component or group that is dragged. */
  key: string;
  /** Where it would be dropped now. */
  slot: Slot;
}

interface Options {
  /** The element with all rows; a row has its key in `data-key`. */
  list: RefObject<HTMLElement | null>;
  layout: Layout;
  onDrop: (drag: Drag) => void;
}

/** Pixels that the pointer moves before a press becomes a drag. */
const THRESHOLD = 4;

/** Drags of components and groups with a mouse, a pen or a finger. Escape cancels a drag. */
export function useDrag({ list, layout, onDrop }: Options) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = useRef(() => {});
  useEffect(() => () => end.current(), []);
  const start = (key: string, pressed: PointerEvent) => {
    if (pressed.button !== 0 || !pressed.isPrimary) return;
    const listening = new AbortController();
    const { signal } = listening;
    let current: Drag | null = null;
    const follow = (y: number) => {
      current = { key, slot: dropSlot(layout, key, { rows: rowsIn(list.current), y }) };
      setDrag(current);
    };
    const scrolling = scrollAtEdges(follow);
    end.current = () => {
      listening.abort();
      scrolling.stop();
      setDrag(null);
    };
    const onMove = ({ clientY }: globalThis.PointerEvent) => {
      if (!current && Math.abs(clientY - pressed.clientY) < THRESHOLD) return;
      follow(clientY);
      scrolling.move(clientY);
    };
    const onUp = () => {
      end.current();
      if (current) onDrop(current);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") end.current();
    };
    addEventListener("pointermove", onMove, { signal });
    addEventListener("pointerup", onUp, { signal });
    addEventListener("pointercancel", end.current, { signal });
    addEventListener("keydown", onKeyDown, { signal });
  };
  return { drag, start };
}

function rowsIn(list: HTMLElement | null) {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-key]") ?? [])];
  return rows.map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return { key: row.dataset.key ?? "", top, bottom };
  });
}

/** Pixels from the edge of the window in which a drag scrolls, and pixels that it scrolls for each frame. */
const EDGE = 70;
const SPEED = 9;

/** Scrolls the window while the pointer is near its upper or lower edge. @param onScroll called with the position of the pointer */
function scrollAtEdges(onScroll: (y: number) => void) {
  let y: number | undefined;
  let frame = 0;
  const step = () => {
    const before = scrollY;
    if (y !== undefined && y < EDGE) scrollBy(0, -SPEED);
    if (y !== undefined && y > innerHeight - EDGE) scrollBy(0, SPEED);
    if (y !== undefined && scrollY !== before) onScroll(y);
    frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return {
    move(to: number) {
      y = to;
    },
    stop: () => cancelAnimationFrame(frame),
  };
}

/** A place in a layout: before an entry, or, if that is null, at the end of a group or of the layout. */
export interface Slot {
  /** The key of a group; null outside of groups. */
  group: string | null;
  before: string | null;
}

/** Moves a component or a group. A group is never in another one: then nothing changes. */
export function moveTo(layout: Layout, key: string, slot: Slot): Layout {
  const moved = findEntry(layout, key);
  if (!moved || slot.before === key || (isGroup(moved) && slot.group !== null)) return layout;
  return insert(without(layout, key), moved, slot);
}

/** The place one step up or down, into and out of groups; null at the end of the layout. */
export function stepSlot(layout: Layout, key: string, direction: "up" | "down"): Slot | null {
  const group = groupWith(layout, key);
  const siblings: readonly Entry[] = group?.components ?? layout;
  const at = siblings.findIndex((one) => one.key === key);
  const neighbor = siblings[direction === "up" ? at - 1 : at + 1];
  const inside = { group: group?.key ?? null };
  if (!neighbor) return group ? leave(layout, group.key, direction) : null;
  const entry = siblings[at];
  if (entry && !isGroup(entry) && isGroup(neighbor)) {
    const first = direction === "up" ? undefined : neighbor.components[0];
    return { group: neighbor.key, before: first?.key ?? null };
  }
  if (direction === "up") return { ...inside, before: neighbor.key };
  return { ...inside, before: siblings[at + 2]?.key ?? null };
}

/** Where a component or a group is, in words for screen readers, for example `Position 2 of 5 in Storefront.` */
export function describePlace(layout: Layout, key: string): string {
  const group = groupWith(layout, key);
  const siblings: readonly Entry[] = group?.components ?? layout;
  const position = siblings.findIndex((one) => one.key === key) + 1;
  const place = { position, count: siblings.length };
  const words = texts.pages.layout.announcement;
  if (!group) return fill(words.place, place);
  const name = group.name.trim();
  return name
    ? fill(words.placeInGroup, { ...place, group: name })
    : fill(words.placeInGroupWithoutName, place);
}

/** The place just before or after a group. */
function leave(layout: Layout, group: string, direction: "up" | "down"): Slot {
  if (direction === "up") return { group: null, before: group };
  const at = layout.findIndex(({ key }) => key === group);
  return { group: null, before: layout[at + 1]?.key ?? null };
}

function findEntry(layout: Layout, key: string): Entry | undefined {
  return layout
    .flatMap((entry) => (isGroup(entry) ? [entry, ...entry.components] : [entry]))
    .find((one) => one.key === key);
}

function without(layout: Layout, key: string): Layout {
  return layout
    .filter((entry) => entry.key !== key)
    .map((entry) =>
      isGroup(entry) ? { ...entry, components: entry.components.filter((one) => one.key !== key) } : entry,
    );
}

function insert(layout: Layout, moved: Entry, { group, before }: Slot): Layout {
  if (group === null || isGroup(moved)) return insertBefore(layout, moved, before);
  if (!findGroup(layout, group)) return layout;
  return layout.map((entry) =>
    isGroup(entry) && entry.key === group
      ? { ...entry, components: insertBefore(entry.components, moved, before) }
      : entry,
  );
}

function insertBefore<One extends Entry>(entries: readonly One[], added: One, before: string | null): One[] {
  const at = before === null ? -1 : entries.findIndex(({ key }) => key === before);
  return at === -1 ? [...entries, added] : entries.toSpliced(at, 0, added);
}

/** The place of a row on the screen. A group has the row of its name only. In pixels from the top of the window. */
interface RowPlace {
  key: string;
  top: number;
  bottom: number;
}

/**
 * Where a component or a group is dropped: before or after the row under the pointer, depending on its half. Below the name
 * of a group begins the group.
 *
 * @param rows all rows from the top, including the row of `key`
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
