import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useMemo, useRef } from "react";
import { Link } from "wouter";
import { MAX_RELATED } from "../../../../domain/monitors/dependencies.ts";
import { displayStateOf } from "../../../../domain/monitors/display-state.ts";
import { fill, listOf, plural, texts } from "../../languages/texts.ts";
import { monitorStatusLabel, StatusMark } from "../../status/status-mark.tsx";
import { Card } from "../../ui/card.tsx";
import { relatedQuery } from "../monitor-queries.ts";
import { type Graph, type GraphMonitor, graphAround } from "./graph.ts";

/** The dependencies and the dependents of a monitor, with their states (behavior 14.97). Nothing without any. */
export function Dependencies({ id }: { id: string }) {
  const { data: before } = useQuery(relatedQuery(id, "dependencies"));
  const { data: after } = useQuery(relatedQuery(id, "dependents"));
  const graph = useMemo(
    // Both begin with the monitor itself.
    () => before && after && graphAround(id, [...before, ...after.slice(1)]),
    [id, before, after],
  );
  if (!graph) return null;
  const isCut = [before, after].some((list) => list && list.length > MAX_RELATED);
  const { title, limit } = texts.monitors.dependencies;
  return (
    <Card id="dependencies" title={title}>
      <Drawing id={id} graph={graph} />
      <p className="text-hint">
        {describeGraph(graph)}
        {isCut && ` ${fill(limit, { count: MAX_RELATED })}`}
      </p>
    </Card>
  );
}

function Drawing({ id, graph }: { id: string; graph: Graph }) {
  const { width, height, nodes, lines, rests } = layOut(graph);
  const section = useRef<HTMLElement>(null);
  const words = texts.monitors.dependencies;
  const x = nodes.find(({ monitor }) => monitor.id === id)?.x ?? 0;
  useLayoutEffect(() => {
    const { current } = section;
    // On a narrow screen, the monitor itself is in the middle at first.
    if (current) current.scrollLeft = x - (current.clientWidth - NODE.width) / 2;
  }, [x]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
    <section className="table-scroll" ref={section} dir="ltr" aria-label={words.graph} tabIndex={0}>
      <svg className="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{words.rule}</title>
        {lines.map(({ parent, child, path }) => (
          <path
            key={`${parent.id} ${child.id}`}
            d={path}
            className={`graph-line state-${displayStateOf(parent)}`}
          />
        ))}
        {nodes.map((node) => (
          <GraphNode key={node.monitor.id} node={node} isCurrent={node.monitor.id === id} />
        ))}
        {rests.map(({ x, y, hidden }) => (
          <text key={`${x} ${y}`} x={x + 12} y={y - 4} className="graph-detail graph-rest">
            {plural(words.more, hidden)}
          </text>
        ))}
      </svg>
    </section>
  );
}

/** Characters of a name that fit. */
const MAX_SHOWN = 16;

function GraphNode({ node: { monitor, x, y }, isCurrent }: NodeProps) {
  const { id, name } = monitor;
  const state = displayStateOf(monitor);
  const label = monitorStatusLabel(monitor);
  const box = (
    <>
      {/* The accessible name of a link, and a tooltip. */}
      <title>{fill(texts.monitors.dependencies.node, { name, status: label })}</title>
      <rect x={x} y={y} width={NODE.width} height={NODE.height} rx="8" className="graph-box" />
      <svg x={x + 11} y={y + 14} width="16" height="16" aria-hidden="true">
        <StatusMark state={state} />
      </svg>
      {/* An inner drawing cuts off what does not fit. */}
      <svg x={x + 37} y={y} width={NODE.width - 43} height={NODE.height} aria-hidden="true">
        <text y="18" className="graph-name">
          {shorten(name)}
        </text>
      </svg>
      <text x={x + 37} y={y + 35} className={`graph-detail state-${state}`}>
        {label}
      </text>
    </>
  );
  if (isCurrent) return <g className="graph-current">{box}</g>;
  return (
    <Link href={`/monitors/${id}`} className="graph-link">
      {box}
    </Link>
  );
}

interface NodeProps {
  node: PlacedMonitor;
  isCurrent: boolean;
}

function shorten(name: string): string {
  const characters = [...name];
  return characters.length <= MAX_SHOWN ? name : `${characters.slice(0, MAX_SHOWN - 1).join("")}…`;
}

/** Explains the effect on notifications, and counts the monitors that the graph does not show. */
function describeGraph({ columns, tooDistant: { dependsOn, dependents } }: Graph): string {
  const words = texts.monitors.dependencies;
  const has = (side: -1 | 1) => columns.some(({ distance }) => Math.sign(distance) === side);
  const hidden = [
    ...(dependsOn > 0 ? [plural(words.before, dependsOn)] : []),
    ...(dependents > 0 ? [plural(words.after, dependents)] : []),
  ];
  return [
    has(-1) && words.left,
    has(1) && words.right,
    hidden.length > 0 && fill(words.notShown, { monitors: listOf(hidden, "unit") }),
  ]
    .filter(Boolean)
    .join(" ");
}

/* Positions in the drawing of a graph, in pixels. */

export const NODE = { width: 172, height: 44 };
const GAP = { x: 40, y: 12 };
const MARGIN = 3;
/** The height of the line that counts the monitors of a column that are not shown. */
const REST = 22;

interface PlacedMonitor {
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
