import { expect, test } from "bun:test";
import { createRefNames } from "../../../src/domain/configuration/placeholder.ts";

test("behavior 16.90: a ref is the name in lower case without accents, with hyphens for other characters", () => {
  const names = {
    "Shop front": "shop-front",
    "Größe & Maß (é)": "grosse-mass-e",
    "v1.2_a": "v1.2_a",
    "--x--": "x",
  };
  for (const [name, ref] of Object.entries(names)) expect(createRefNames("monitor")(name)).toBe(ref);
});

test("behavior 16.90: a name that leaves nothing gives the kind, and an equal one gets a number", () => {
  const refOf = createRefNames("monitor", ["shop"]);
  expect(["", "商店", "🙂", "Shop", "shop", "shop-2"].map(refOf)).toEqual([
    ...["monitor", "monitor-2", "monitor-3", "shop-2", "shop-3", "shop-2-2"],
  ]);
});

test("behavior 16.90: any name gives a ref that is allowed, of at most 100 characters", () => {
  const refOf = createRefNames("monitor");
  for (const name of [
    "a".repeat(500),
    "a".repeat(500),
    `${"-".repeat(300)}x`,
    "\u0000\ud800",
    "é".repeat(99),
  ])
    expect(refOf(name)).toMatch(/^[a-z0-9][a-z0-9._-]{0,99}$/);
});

test("behavior 16.90: ten thousand equal names give ten thousand refs", () => {
  const refOf = createRefNames("monitor");
  expect(new Set(Array.from({ length: 10_000 }, () => refOf("Shop"))).size).toBe(10_000);
});
