import { expect, test } from "bun:test";
import { accepts } from "../../../src/domain/network/accept-encoding.ts";

test.each([
  [null, false, false],
  ["", false, false],
  ["identity", false, false],
  ["gzip", true, false],
  ["gzip, deflate, br", true, true],
  ["GZIP;q=1.0", true, false],
  ["gzip;q=0", false, false],
  ["gzip ; q=0.000, br;q=0.001", false, true],
  ["br;Q=0,gzip;q=0.5", true, false],
  ["*", true, true],
  ["*;q=0", false, false],
  ["gzip;q=0, *", false, true],
  ["gzipped, x-br", false, false],
  ["gzip;q=much", false, false],
  [`gzip${" ".repeat(900)}`, true, false],
  [`gzip${",".repeat(15_000)}`, false, false],
])("Accept-Encoding: %s takes gzip: %p, br: %p", (header, gzip, br) => {
  expect({ gzip: accepts(header, "gzip"), br: accepts(header, "br") }).toEqual({ gzip, br });
});
