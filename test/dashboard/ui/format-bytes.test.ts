import { expect, test } from "bun:test";
import { formatBytes } from "../../../src/dashboard/web/ui/bytes.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [48_234_496, "48.2 MB"],
  [812_346_195_968, "812 GB"],
  [4.2e15, "4200 TB"],
])("%d is %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
