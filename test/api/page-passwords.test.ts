import { test } from "bun:test";
test("x", () => {});
