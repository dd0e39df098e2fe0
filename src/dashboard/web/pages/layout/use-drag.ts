import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Slot } from "./move.ts";
import { dropSlot } from "./move.ts";
import type { Layout } from "./page-layout.ts";

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
