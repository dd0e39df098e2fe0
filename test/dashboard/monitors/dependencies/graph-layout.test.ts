import { expect, test } from "bun:test";
import { layOut, NODE } from "../../../../src/dashboard/web/monitors/dependencies/dependencies.tsx";
import { type GraphMonitor, graphAround } from "../../../../src/dashboard/web/monitors/dependencies/graph.ts";

const monitor = (id: string, ...dependsOn: string[]): GraphMonitor => ({
  id,
  name: id,
  status: "up",
  enabled: true,
  dependsOn,
});

function layoutAround(id: string, monitors: GraphMonitor[]) {
  const graph = graphAround(id, monitors);
  if (!graph) throw new Error("the monitor has no dependencies");
  return layOut(graph);
}

test("monitors do not overlap, and are inside of the drawing", () => {
  const all = [monitor("a"), monitor("b", "a"), monitor("c", "a"), monitor("d", "b", "c", "a")];
  const { nodes, width, height } = layoutAround("b", all);
  const spots = nodes.map(({ x, y }) => `${x} ${y}`);
  expect(new Set(spots).size).toBe(nodes.length);
  for (const { x, y } of nodes) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + NODE.width).toBeLessThanOrEqual(width);
    expect(y + NODE.height).toBeLessThanOrEqual(height);
  }
});

test("each dependency between monitors that are shown is one line, from left to right", () => {
  const all = [monitor("a"), monitor("b", "a"), monitor("c", "b", "a"), monitor("x")];
  const { lines, nodes } = layoutAround("b", all);
  expect(lines.map(({ parent, child }) => `${parent.id} ${child.id}`).sort()).toEqual(["a b", "a c", "b c"]);
  const xOf = (id: string) => nodes.find((node) => node.monitor.id === id)?.x ?? 0;
  for (const { parent, child } of lines) expect(xOf(parent.id)).toBeLessThan(xOf(child.id));
});
