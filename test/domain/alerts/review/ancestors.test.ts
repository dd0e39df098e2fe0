import { expect, test } from "bun:test";
import { ancestorsOf } from "../../../../src/domain/alerts/review/ancestors.ts";

const graph = (edges: Record<number, number[]>) =>
  new Map(Object.entries(edges).map(([pk, dependsOn]) => [Number(pk), dependsOn]));

test("behavior 14.10: the nearest come first, equally near ones in the order of their numbers", () => {
  expect(ancestorsOf(1, graph({ 1: [9, 3], 3: [2], 9: [4] }))).toEqual([3, 9, 2, 4]);
});

test("behavior 14.10: each counts once, at its shortest distance", () => {
  expect(ancestorsOf(1, graph({ 1: [2, 3], 2: [4], 3: [4, 2], 4: [5] }))).toEqual([2, 3, 4, 5]);
});

test("a monitor without dependencies has none, and a cycle ends", () => {
  expect(ancestorsOf(1, graph({}))).toEqual([]);
  expect(ancestorsOf(1, graph({ 1: [2], 2: [1] }))).toEqual([2]);
});
