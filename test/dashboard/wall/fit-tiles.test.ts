import { expect, test } from "bun:test";
import { fitText, fitTiles } from "../../../src/dashboard/web/wall/fit-tiles.ts";

const TV = { width: 1920, height: 1000 };

test("behavior 16.366: one monitor has the whole screen, and a few share it without a gap", () => {
  expect(fitTiles(1, TV)).toEqual({ columns: 1, rows: 1, shown: 1 });
  expect(fitTiles(12, TV)).toEqual({ columns: 3, rows: 4, shown: 12 });
});

test("behavior 16.366: tiles shrink until they are not legible; then the last cell is for all others", () => {
  for (let count = 1; count <= 1000; count++) {
    const { columns, rows, shown } = fitTiles(count, TV);
    expect(TV.width / columns).toBeGreaterThanOrEqual(110);
    expect(TV.height / rows).toBeGreaterThanOrEqual(40);
    expect(shown).toBe(count <= 17 * 25 ? count : 17 * 25 - 1);
    expect(columns * rows).toBeGreaterThanOrEqual(shown);
  }
});

test("behavior 16.366: a phone, and a window that is too small for a tile, have a grid too", () => {
  expect(fitTiles(5, { width: 390, height: 740 })).toEqual({ columns: 1, rows: 5, shown: 5 });
  expect(fitTiles(5, { width: 0, height: 0 })).toEqual({ columns: 1, rows: 1, shown: 0 });
});

test("behavior 16.366: a name takes the lines that its tile has, and a long one has a smaller text", () => {
  const long = "Nightly backup of the whole data center in Frankfurt";
  const large = { width: 640, height: 250 };
  const [short, fitted] = [fitText(["Shop"], large, true), fitText([long], large, true)];
  expect(fitted.letters).toBeGreaterThanOrEqual(long.length);
  expect(fitted.text).toBeLessThan(short.text);
  expect(fitText([long], { width: 320, height: 330 }, false).lines).toBe(4);
  const low = fitText([long], { width: 200, height: 44 }, true);
  expect(low).toMatchObject({ isLow: true, text: 12, lines: 2 });
});

test("behavior 16.366: no text is smaller than the smallest, and the lines of a name have room in its tile", () => {
  for (let width = 110; width <= 1920; width += 90)
    for (let height = 40; height <= 1000; height += 60) {
      const { text, lines, isLow } = fitText(["x".repeat(200)], { width, height }, true);
      expect(text).toBeGreaterThanOrEqual(12);
      expect(lines === 1 || (1.25 * lines + (isLow ? 0 : 2.7)) * text <= height).toBe(true);
    }
});
