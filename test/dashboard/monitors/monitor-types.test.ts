import { expect, test } from "bun:test";
import { describeTarget } from "../../../src/domain/monitors/kinds/kinds.ts";

test.each([
  ["example.com", "example.com:443"],
  ["::1", "[::1]:443"],
])("the target with the host %s is %s", (host, target) => {
  expect(describeTarget("TLS", { host, port: 443 })).toBe(target);
});
