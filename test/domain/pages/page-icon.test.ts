import { expect, test } from "bun:test";
import { asPageIcon, MAX_ICON } from "../../../src/domain/pages/page-look.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const png = (length: number) => {
  const bytes = new Uint8Array(length);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes;
};

test.each([
  ["image/svg+xml", bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["image/svg+xml", bytesOf('\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg>')],
  ["image/png", png(100)],
  ["image/x-icon", new Uint8Array([0, 0, 1, 0, 1, 0])],
  [undefined, bytesOf("<html><svg></svg></html>")],
  [undefined, bytesOf("GIF89a")],
  [undefined, bytesOf("")],
])("behavior 15.37: an icon is recognized by its content: %p", (type, bytes) => {
  expect(asPageIcon(bytes)?.type).toBe(type as string);
});

test("behavior 15.37: an icon has at most 64 kB", () => {
  expect(asPageIcon(png(MAX_ICON))?.bytes).toHaveLength(64_000);
  expect(asPageIcon(png(MAX_ICON + 1))).toBeUndefined();
});
