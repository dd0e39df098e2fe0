import { expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createHealth } from "../../src/runner/health.ts";

const log = createLogger({ level: "silent", format: "json" });

test("the probes fail where nobody looks for due checks any more", () => {
  let lookedAt = performance.now();
  const probes = { ping: async () => {} };
  const { report } = createHealth({ probes, takesWrites: () => true, lookedAt: () => lookedAt, log });
  expect(report()).toEqual({ database: "ok", probes: "ok" });
  lookedAt -= 60_000;
  expect(report()).toEqual({ database: "ok", probes: "failing" });
});
