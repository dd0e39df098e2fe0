import { describe, expect, test } from "bun:test";
import { detailWithoutPhases, packMeasured, readMeasured } from "../../../src/store/results/timings.ts";

const run = { id: "412", startedAt: "2026-11-21T03:00:00.412Z", durationMs: 492_495 };

describe("the detail of a check-in that ended a run", () => {
  test("is stored without the run, which differs between results", () => {
    const { timings, rest } = packMeasured({ latencyMs: null, detail: { exitCode: 3, run } });
    expect(rest).toEqual({ exitCode: 3 });
    expect(readMeasured(timings, { exitCode: 3 })).toEqual({ latencyMs: null, detail: { exitCode: 3, run } });
  });

  test("is only the run after a success", () => {
    const { timings, rest } = packMeasured({ latencyMs: null, detail: { run } });
    expect(rest).toBeNull();
    expect(readMeasured(timings, undefined).detail).toEqual({ run });
    expect(detailWithoutPhases(timings, null)).toEqual({ run });
  });
});
