import type { Graph, GraphMonitor } from "./graph.ts";

/* Positions in the drawing of a graph, in pixels. */

export const NODE = { width: 172, height: 44 };
const GAP = { x: 40, y: 12 };
const MARGIN = 3;
/** The height of the line that counts the monitors of a column that are not shown. */
const REST = 22;

export interface PlacedMonitor {
  monitor: GraphMonitor;
  x: number;
  y: number;
}

interface GraphLayout {
  width: number;
  height: number;
  nodes: PlacedMonitor[];
  /** From a monitor to one that depends on it. */
  lines: { parent: GraphMonitor; child: GraphMonitor; path: string }[];
  rests: { x: number; y: number; hidden: number }[];
}

/** Places the columns from left to right, each in the middle of the height. */
export function layOut({ columns }: Graph): GraphLayout {
  const heights = columns.map(
    ({ monitors, hidden }) => monitors.length * (NODE.height + GAP.y) - GAP.y + (hidden > 0 ? REST : 0),
  );
  const height = Math.max(...heights);
  const placed = columns.map(({ monitors, hidden }, at) => {
    const x = MARGIN + at * (NODE.width + GAP.x);
    const top = MARGIN + (height - (heights[at] ?? 0)) / 2;
    const yOf = (row: number) => top + row * (NODE.height + GAP.y);
    return {
      nodes: monitors.map((monitor, row) => ({ monitor, x, y: yOf(row) })),
      rests: hidden > 0 ? [{ x, y: yOf(monitors.length) - GAP.y + REST, hidden }] : [],
    };
  });
  const nodes = placed.flatMap((column) => column.nodes);
  return {
    width: columns.length * (NODE.width + GAP.x) - GAP.x + 2 * MARGIN,
    height: height + 2 * MARGIN,
    nodes,
    lines: linesBetween(nodes),
    rests: placed.flatMap(({ rests }) => rests),
  };
}

function linesBetween(nodes: PlacedMonitor[]) {
  const byId = new Map(nodes.map((node) => [node.monitor.id, node]));
  return nodes.flatMap((child) =>
    child.monitor.dependsOn.flatMap((id) => {
      const parent = byId.get(id);
      return parent ? [{ parent: parent.monitor, child: child.monitor, path: curve(parent, child) }] : [];
    }),
  );
}

/** A curve from the right side of a monitor to the left side of one that depends on it. */
function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
