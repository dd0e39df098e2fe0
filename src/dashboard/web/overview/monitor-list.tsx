import { memo, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { MonitorSummary } from "../data/api.ts";
import { useViewMemory } from "../ui/view/view-memory.tsx";
import { MonitorRow } from "./monitor-row.tsx";
import { useChunkedRows } from "./use-chunked-rows.ts";
import { useNearViewport, ViewportObserver } from "./use-near-viewport.ts";

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
