import type { Standing } from "./api.ts";
import { MonitorRow } from "./monitor-row.tsx";
import { useNear } from "./near.ts";

/** More than a phone has room for, and few enough to be drawn at once. The style sheet knows it too. */
const SIZE = 12;

export function blocksOf(monitors: Standing[]): Standing[][] {
  const count = Math.ceil(monitors.length / SIZE);
  return Array.from({ length: count }, (_, at) => monitors.slice(at * SIZE, (at + 1) * SIZE));
}

interface Block {
  monitors: Standing[];
  buckets: string[];
  /** Whether it is the one that is seen first. */
  first: boolean;
}

/** Some rows of the list. The browser asks of each block whether it is to be seen: of each row, scrolling would stutter. */
export function RowBlock({ monitors, buckets, first }: Block) {
  const [block, near] = useNear<HTMLDivElement>(first);
  return (
    <div className="block" ref={block}>
      {monitors.map((monitor) => (
        <MonitorRow key={monitor.id} monitor={monitor} buckets={buckets} near={near} />
      ))}
    </div>
  );
}
