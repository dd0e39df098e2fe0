import { expect, test } from "bun:test";
import { countAttention } from "../../../src/domain/monitors/standing.ts";

test("behavior 16.372: monitors in trouble are counted by state, without those in maintenance", () => {
  const one = (id: string, status: "down" | "degraded" | "up") => ({ id, tags: [], status });
  const unattended = [one("a", "down"), one("b", "down"), one("c", "degraded"), one("d", "up")];
  expect(countAttention(unattended, ({ id }) => (id === "b" ? {} : null))).toEqual({ down: 1, warning: 1 });
});
