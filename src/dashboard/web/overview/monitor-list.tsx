import { memo } from "react";
import type { Standing } from "../data/api.ts";
import { MonitorRow } from "./monitor-row.tsx";
import { useNear } from "./use-near-viewport.ts";

/** Few enough to be drawn at once. The style sheet knows it too. */
const SIZE = 12;
/** Pixels of the window for each row that is seen at first: the lowest has 68, and other things are above them. */
const SHARE = 100;

/** How many rows are seen at first. Read while nothing has to be laid out for it. */
export const SEEN_FIRST = Math.ceil(innerHeight / SHARE);

/** The monitors in blocks. @param before what they were: a block in which nothing has changed stays the same */
export function blocksOf(monitors: Standing[], before: Standing[][]): Standing[][] {
  const count = Math.ceil(monitors.length / SIZE);
  return Array.from({ length: count }, (_, at) => {
    const block = monitors.slice(at * SIZE, (at + 1) * SIZE);
    const known = before[at];
    return known?.length === block.length && known.every((one, place) => one === block[place])
      ? known
      : block;
  });
}

interface Block {
  monitors: Standing[];
  buckets: string[];
  /** Whether it is the one that is seen first. */
  first: boolean;
}

/** Some rows of the list. The browser asks of each block whether it is to be seen: of each row, scrolling would stutter. */
export const RowBlock = memo(function RowBlock({ monitors, buckets, first }: Block) {
  const [block, near] = useNear<HTMLDivElement>(first);
  return (
    <div className="block" ref={block}>
      {monitors.map((monitor) => (
        <MonitorRow key={monitor.id} monitor={monitor} buckets={buckets} near={near} />
      ))}
    </div>
  );
});
