import { expect, test } from "bun:test";
import { healthRequest, readHealth } from "../../../src/probes/grpc/health-messages.ts";

test.each([
  ["", "0000000000"],
  ["a.B", "00000000050a03612e42"],
  ["x".repeat(127), `0000000081${"0a7f"}${"78".repeat(127)}`],
  ["x".repeat(128), `0000000083${"0a8001"}${"78".repeat(128)}`],
  ["ü".repeat(256), `0000000203${"0a8004"}${"c3bc".repeat(256)}`],
])("behavior 20.60: the request for %j is framed", (service, hex) => {
  expect(healthRequest(service).toString("hex")).toBe(hex);
});

test.each([
  ["0000000000", "UNKNOWN"],
  ["00000000020801", "SERVING"],
  ["00000000020802", "NOT_SERVING"],
  ["00000000020803", "SERVICE_UNKNOWN"],
  ["00000000020863", "status 99"],
  // The last of two counts, and other fields are skipped: a text, 8 bytes, 4 bytes, a number.
  ["000000000408020801", "SERVING"],
  ["00000000171203616263" + "190000000000000000" + "2500000000" + "30ff01" + "0801", "SERVING"],
])("behavior 20.62: the answer %s is %s", (hex, health) => {
  const bytes = Buffer.from(hex, "hex");
  bytes.writeUInt32BE(bytes.length - 5, 1);
  expect(readHealth(bytes)).toBe(health);
});

test.each([
  ["", "is empty"],
  ["00000000", "ends in its prefix"],
  ["0000000003080", "is shorter than it says"],
  ["0000000001080101", "is longer than it says"],
  ["01000000020801", "is compressed"],
  ["000000000108", "ends in a field"],
  ["0000000002120a", "ends in a text"],
  ["00000000020b01", "has a group"],
  ["000000000708ffffffffffff", "has a number without end"],
])("behavior 20.62: an answer %s, which %s, is none", (hex) => {
  expect(readHealth(Buffer.from(hex, "hex"))).toBeUndefined();
});
