import { expect, test } from "bun:test";
import { isSameTarget } from "../../../src/domain/checks/judge.ts";
import type { Detail, Evidence, Reason } from "../../../src/domain/checks/observation.ts";
import { askedLook } from "../../../src/domain/evidence/asked-look.ts";
import type { CheckFacts } from "../../../src/domain/evidence/evidence.ts";
import { explainAlone, makeEvidence } from "../../../src/domain/evidence/evidence-data.ts";
import type { Failure } from "../../../src/domain/evidence/failure.ts";

const config = {
  interval: 60,
  steps: [
    { url: "https://login.example.com/" },
    { url: "https://shop.example.com:8443/{{V}}" },
    { url: "https://pay.example.com/" },
  ],
};

/** A check that failed in a step. @param at its place, from 0 */
function failedIn(at: number, reason: Reason, facts: Partial<CheckFacts> = {}): Failure {
  const steps = config.steps
    .slice(0, at + 1)
    .map((_, place) => ({ name: `step ${place + 1}`, statusCode: 500, latencyMs: 1 }));
  const detail: Detail = {
    statusCode: 500,
    message: `step ${at + 1}: 500 Internal Server Error, expected 2xx`,
    address: "203.0.113.8",
    steps,
  };
  const given: CheckFacts = { step: "answer", dns: null, tls: null, http: null, ...facts };
  const observation: Evidence = { outcome: "failed", reason, detail, told: ["203.0.113.1"], facts: given };
  return {
    type: "HTTP",
    config,
    observation,
    seen: { status: "down", detail: { ...detail, reason } },
    good: {
      at: 0,
      address: "203.0.113.9",
      certificate: "AA",
      statusCode: 200,
      size: 10,
      phases: {},
      protocol: "TLSv1.3",
    },
    known: ["203.0.113.1"],
    look: { connections: null, path: null },
    doOtherPortsAnswer: false,
  };
}

test.each([
  [0, "login.example.com does not exist (NXDOMAIN)"],
  [1, "shop.example.com does not exist (NXDOMAIN)"],
])("behavior 26.79: words about a failure name the host of its step: %d", (at, summary) => {
  const dns = { server: null, code: "NXDOMAIN", records: [], tookMs: 1 };
  const failure = { ...failedIn(at, "dns_not_found", { step: "dns", dns }), good: null };
  expect(makeEvidence(failure)).toMatchObject({ layer: "dns", summary });
  expect(explainAlone(failure)).toMatchObject({ layer: "dns", summary });
});

test("behavior 26.79: the port is the port of the step", () => {
  expect(makeEvidence(failedIn(1, "refused", { step: "connect" }))).toMatchObject({
    layer: "port",
    summary: "203.0.113.8 refuses connections on port 8443",
  });
});

test("behavior 26.79: only what was seen of the same step is compared with the last good check", () => {
  const changed = (at: number) =>
    makeEvidence(failedIn(at, "unexpected")).data.changes.map(({ what }) => what);
  expect(changed(0)).toEqual([]);
  expect(changed(1)).toEqual([]);
  expect(changed(2)).toEqual(["address", "status_code"]);
});

test("behavior 26.79: a location looks once more at the server of the step that failed", () => {
  const look = (failure: Failure) => askedLook(failure.observation, { type: "HTTP", config });
  expect(look(failedIn(0, "timeout"))).toEqual({ addresses: ["203.0.113.1"], port: 443 });
  expect(look(failedIn(1, "timeout"))).toEqual({ addresses: ["203.0.113.8"], port: 8443 });
  expect(look(failedIn(1, "timeout", { isRedirected: true }))).toEqual({ addresses: [], port: 8443 });
});

test("behavior 26.78: the target of a monitor with steps is the origin of each step", () => {
  const [first, ...others] = config.steps;
  expect(
    isSameTarget(config, {
      ...config,
      steps: config.steps.map((step) => ({ ...step, url: `${step.url}?a` })),
    }),
  ).toBe(true);
  expect(isSameTarget(config, { ...config, steps: others })).toBe(false);
  expect(isSameTarget(config, { ...config, steps: [...others, first as { url: string }] })).toBe(false);
});
