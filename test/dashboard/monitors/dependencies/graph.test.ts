import { describe, expect, test } from "bun:test";
import { type GraphMonitor, graphAround } from "../../../../src/dashboard/web/monitors/dependencies/graph.ts";

/** Monitors from lines such as `child: parent parent`. */
function monitors(...lines: string[]): GraphMonitor[] {
  return lines.map((line) => {
    const [id = "", parents = ""] = line.split(":");
    return { id, name: id, status: "up", enabled: true, dependsOn: parents.split(" ").filter(Boolean) };
  });
}

function columns(id: string, all: GraphMonitor[]) {
  return graphAround(id, all)?.columns.map(({ distance, monitors, hidden }) => [
    distance,
    monitors.map(({ id }) => id).join(" "),
    hidden,
  ]);
}

describe("behavior 14.97: the graph around a monitor", () => {
  test("has what it depends on before it, and what depends on it after it, directly or not", () => {
    const all = monitors(
      "shop:db web",
      "web:switch",
      "db:switch",
      "switch:",
      "pay:shop",
      "mail:",
      "report:pay",
    );
    expect(columns("shop", all)).toEqual([
      [-2, "switch", 0],
      [-1, "db web", 0],
      [0, "shop", 0],
      [1, "pay", 0],
      [2, "report", 0],
    ]);
    expect(columns("report", all)?.map(([distance]) => distance)).toEqual([-3, -2, -1, 0]);
  });

  test("has a monitor in the column of its longest way", () => {
    expect(columns("a", monitors("a:b c", "b:c", "c:"))).toEqual([
      [-2, "c", 0],
      [-1, "b", 0],
      [0, "a", 0],
    ]);
  });

  test("is absent for a monitor without dependencies, and for one that is unknown", () => {
    expect(graphAround("a", monitors("a:", "b:c", "c:"))).toBeNull();
    expect(graphAround("x", monitors("a:"))).toBeNull();
  });

  test("is short: the rest is counted", () => {
    const many = Array.from({ length: 9 }, (_, at) => `child${at}:a`);
    expect(columns("a", monitors("a:", ...many))?.[1]).toEqual([
      1,
      "child0 child1 child2 child3 child4 child5",
      3,
    ]);
    const chain = monitors("a:", "b:a", "c:b", "d:c", "e:d", "f:e");
    expect(graphAround("a", chain)?.tooDistant).toEqual({ dependsOn: 0, dependents: 2 });
    expect(graphAround("f", chain)?.tooDistant).toEqual({ dependsOn: 2, dependents: 0 });
  });

  test("ends in a cycle, which the server refuses", () => {
    expect(graphAround("a", monitors("a:b", "b:a"))?.columns.length).toBeGreaterThan(0);
  });

  test("ignores a monitor that is deleted meanwhile", () => {
    expect(columns("a", monitors("a:gone b", "b:"))).toEqual([
      [-1, "b", 0],
      [0, "a", 0],
    ]);
  });
});
