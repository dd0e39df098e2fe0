import { describe, expect, test } from "bun:test";
import { isTurn, makesEvidence, makesLateEvidence } from "../../../src/domain/evidence/planned-evidence.ts";
import type { Suspicion } from "../../../src/domain/monitors/confirmation.ts";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

const AT = 5000;

const suspicion = (...checks: [Status, number][]): Suspicion => ({
  checks: checks.map(([status, at]) => ({ status, at })),
  seen: { status: checks.at(-1)?.[0] ?? "down" },
});

const state = (status: Status, of: Suspicion | null = null, outage: object | null = null) => ({
  ...{ status, suspicion: of, outage },
});

type State = ReturnType<typeof state>;

describe("behavior 22.1: evidence", () => {
  test.each<[string, MonitorType, Status, State, State, boolean]>([
    [
      "is of the first check of a suspicion",
      "HTTP",
      "down",
      state("up"),
      state("up", suspicion(["down", AT])),
      true,
    ],
    [
      "is not of the next check of a suspicion",
      "HTTP",
      "down",
      state("up", suspicion(["down", 1])),
      state("up", suspicion(["down", 1], ["down", AT])),
      false,
    ],
    [
      "is of the check that makes the status worse",
      "HTTP",
      "down",
      state("up", suspicion(["down", 1])),
      state("down"),
      true,
    ],
    ["is of a first check that fails", "HTTP", "down", state("unknown"), state("down"), true],
    ["is not of a check that sees the same trouble", "HTTP", "down", state("down"), state("down"), false],
    ["is of a turn from warning to down", "HTTP", "down", state("degraded"), state("down"), true],
    ["is not of a turn from down to warning", "HTTP", "degraded", state("down"), state("degraded"), false],
    [
      "is not of a suspicion that is for the better",
      "HTTP",
      "up",
      state("down"),
      state("down", suspicion(["up", AT])),
      false,
    ],
    [
      "is not of a warning that is a suspicion for the better",
      "HTTP",
      "degraded",
      state("down"),
      state("down", suspicion(["degraded", AT])),
      false,
    ],
    ["is of a worse status within a group", "TLS", "no_cert", state("expired"), state("no_cert"), true],
    ["is not of a healthy check", "HTTP", "up", state("unknown"), state("up"), false],
  ])("%s", (_, type, seen, before, after, expected) => {
    expect(makesEvidence({ type, seen, at: AT }, before, after)).toBe(expected);
  });

  test.each<[State, State, boolean]>([
    [state("up"), state("down", null, {}), true],
    [state("degraded", null, {}), state("down", null, {}), true],
    [state("up"), state("up", suspicion(["down", AT])), false],
    [state("down", null, {}), state("down", null, {}), false],
  ])("behavior 22.6: from %j to %j is exempt from the limit: %p", (before, after, expected) => {
    expect(isTurn(before, after)).toBe(expected);
  });

  test("of late checks is of those that see more trouble than the late check before", () => {
    expect([makesLateEvidence("down"), makesLateEvidence("down", 1), makesLateEvidence("down", 2)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([makesLateEvidence("up"), makesLateEvidence("degraded", 1)]).toEqual([false, false]);
  });
});
