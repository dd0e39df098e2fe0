import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { describePlace, moveTo, type Slot, stepSlot } from "./move.ts";
import { isGroup, type Layout, remove } from "./page-layout.ts";
import { type Drag, useDrag } from "./use-drag.ts";

export interface LayoutActions {
  /** Null while nothing is dragged. */
  drag: Drag | null;
  startDrag: (key: string, event: PointerEvent) => void;
  /** @param control what the reader used, which keeps the focus */
  step: (key: string, direction: "up" | "down", control: string) => void;
  remove: (key: string, name: string) => void;
  /** Adds entries at the end. @param words what was added, for example `3 monitors are added.` */
  append: (entries: Layout, words: string) => void;
  /** For screen readers: the latest change. */
  announcement: string;
}

interface Options {
  list: RefObject<HTMLElement | null>;
  layout: Layout;
  onChange: (layout: Layout) => void;
}

/** Moves and deletes components and groups, and says what has changed. */
export function useLayoutActions({ list, layout, onChange }: Options): LayoutActions {
  const [announcement, announce] = useState("");
  const focused = useRef<string | null>(null);
  // A row that was moved is another element, or was out of the document for a moment.
  useLayoutEffect(() => {
    if (focused.current !== null) list.current?.querySelector<HTMLElement>(focused.current)?.focus();
    focused.current = null;
  });
  const focus = (key: string, control: string) => {
    focused.current = `[data-key="${CSS.escape(key)}"] [data-control="${control}"]`;
  };
  const move = (key: string, slot: Slot, control: string) => {
    const moved = moveTo(layout, key, slot);
    focus(key, control);
    announce(`${describePlace(moved, key)}.`);
    onChange(moved);
  };
  const { drag, start } = useDrag({ list, layout, onDrop: ({ key, slot }) => move(key, slot, "handle") });
  return {
    drag,
    startDrag: start,
    step(key, direction, control) {
      const slot = stepSlot(layout, key, direction);
      if (slot) move(key, slot, control);
      else announce(direction === "up" ? "It is the first." : "It is the last.");
    },
    remove(key, name) {
      const next = neighborOf(list.current, key);
      if (next) focus(next, "handle");
      announce(`Removed: ${name}.`);
      onChange(remove(layout, key));
    },
    append(entries, words) {
      const [first] = entries;
      if (first && isGroup(first)) focus(first.key, "name");
      announce(words);
      onChange([...layout, ...entries]);
    },
    announcement,
  };
}

/** The key of the row after a row, or else of the one before it. */
function neighborOf(list: HTMLElement | null, key: string): string | undefined {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-key]") ?? [])];
  const keys = rows.map((row) => row.dataset.key);
  const at = keys.indexOf(key);
  return keys[at + 1] ?? keys[at - 1];
}
