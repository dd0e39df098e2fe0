import {
  memo,
  type RefCallback,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { MonitorSummary } from "../data/api.ts";
import { useViewMemory } from "../ui/view.tsx";
import { MonitorRow } from "./monitor-row.tsx";

/** All rows are in the document, so that the browser's own search and screen readers find them. */
export function MonitorList({ monitors, buckets }: { monitors: MonitorSummary[]; buckets: string[] }) {
  const { blocks, isWhole } = useChunkedRows(monitors);
  const [observer] = useState(() => new ViewportObserver());
  const list = useRef<HTMLDivElement>(null);
  useRememberedHeight(list, isWhole);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the children of a <ul> are its items, and these are blocks of them
    <div className="list" ref={list} role="list" aria-label="Monitors">
      {blocks.map((block, at) => (
        <RowBlock key={at} monitors={block} buckets={buckets} isFirst={at === 0} observer={observer} />
      ))}
    </div>
  );
}

interface Block {
  monitors: MonitorSummary[];
  buckets: string[];
  isFirst: boolean;
  observer: ViewportObserver;
}

/** The browser skips the layout of blocks outside the viewport. With single rows instead, scrolling would stutter. */
const RowBlock = memo(function RowBlock({ monitors, buckets, isFirst, observer }: Block) {
  const [ref, isNear] = useNearViewport<HTMLDivElement>(observer, isFirst);
  return (
    <div className="monitor-block" ref={ref}>
      {monitors.map((monitor) => (
        <MonitorRow key={monitor.id} monitor={monitor} buckets={buckets} isNear={isNear} />
      ))}
    </div>
  );
});

/** Gives an incomplete list the height that it had when the reader left it, so that Back can restore the scroll position. */
function useRememberedHeight(list: RefObject<HTMLDivElement | null>, isWhole: boolean): void {
  const memory = useViewMemory();
  useLayoutEffect(() => {
    if (list.current) list.current.style.minHeight = isWhole ? "" : `${memory.listHeight}px`;
  }, [list, memory, isWhole]);
  useLayoutEffect(() => {
    const { current } = list;
    return () => {
      memory.listHeight = current?.offsetHeight ?? 0;
    };
  }, [list, memory]);
}

/** Rows that are added at once, after the first ones. */
const CHUNK = 120;
/** Rows in one block. monitor-list.css has the same number. */
const BLOCK = 12;
/** Pixels of the window for each row of the first chunk: a row has at least 68, and other things are above the list. */
const PIXELS_PER_ROW = 100;

/**
 * Renders a long list chunk by chunk, so that the browser can react to the reader between two of them.
 *
 * @returns the rows so far in blocks, and whether these are all
 */
function useChunkedRows<Row>(rows: Row[]): { blocks: Row[][]; isWhole: boolean } {
  // Read here because nothing has to be laid out for it yet.
  const [count, setCount] = useState(() => Math.ceil(innerHeight / PIXELS_PER_ROW));
  const isWhole = count >= rows.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => setCount(count + CHUNK));
    return () => clearTimeout(timer);
  }, [count, isWhole]);
  const previous = useRef<Row[][]>([]);
  const blocks = useMemo(() => {
    previous.current = toBlocks(rows.slice(0, count), previous.current);
    return previous.current;
  }, [rows, count]);
  return { blocks, isWhole };
}

/** @param previous earlier blocks: a block whose rows have not changed keeps its identity and is not rendered again */
export function toBlocks<Row>(rows: Row[], previous: Row[][]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, at) => {
    const block = rows.slice(at * BLOCK, (at + 1) * BLOCK);
    const before = previous[at];
    const isSame = before?.length === block.length && before.every((row, place) => row === block[place]);
    return isSame ? before : block;
  });
}

/** How far from the viewport an element is still near it, above and below. */
const MARGIN = "600px 0px";

/** Reports which elements are near the viewport. One observer serves all rows of a list. */
class ViewportObserver {
  readonly #listeners = new WeakMap<Element, (isNear: boolean) => void>();
  readonly #observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) this.#listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  );

  /** @returns a function that ends the observation */
  observe(element: Element, listener: (isNear: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  }
}

/** A ref for an element, and whether it is near the viewport. @param initial the answer until the browser has one */
function useNearViewport<Of extends Element>(
  observer: ViewportObserver,
  initial: boolean,
): [ref: RefCallback<Of>, isNear: boolean] {
  const [isNear, setNear] = useState(initial);
  const ref = useCallback(
    (element: Of | null) => (element ? observer.observe(element, setNear) : undefined),
    [observer],
  );
  return [ref, isNear];
}
