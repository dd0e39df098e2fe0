import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { HERE } from "../../../src/domain/locations/location.ts";
import type { ProbedType } from "../../../src/domain/monitors/monitor.ts";
import { planRecording, type RecordingSubject } from "../../../src/domain/monitors/recording-plan.ts";
import { byAddress } from "../../support/checks/by-address.ts";
import { walks } from "../../support/long.ts";
import { check, evidence, placed, type Setting, walk } from "./walk.ts";

/** A monitor of each kind, and what its checks see. The answers of a DNS check are `changed` as long as they are new. */
const kinds: Partial<Record<ProbedType, { setting: Setting; seen: Evidence[] }>> = {
  HTTP: {
    setting: { config: { url: "https://a.example/", interval: 60, expiryWarning: 14 } },
    seen: [
      ...[evidence.up, evidence.degraded, evidence.down],
      { ...evidence.up, tls: tlsUntil("2027-06-01T00:00:00.000Z") },
      { ...evidence.up, tls: tlsUntil("2027-01-05T00:00:00.000Z") },
      byAddress([evidence.up, evidence.down]),
      byAddress([{ ...evidence.up, tls: tlsUntil("2027-01-05T00:00:00.000Z") }, evidence.down]),
    ],
  },
  TLS: {
    setting: { type: "TLS", config: { host: "a.example", port: 443, interval: 60 } },
    seen: [
      ...[evidence.active, evidence.expiring_soon, evidence.expired, evidence.no_cert],
      byAddress([evidence.active, evidence.expired]),
      byAddress([evidence.active, evidence.no_cert]),
    ],
  },
  DNS: {
    setting: { type: "DNS", config: { hostname: "a.example", interval: 60 } },
    seen: [[], ["192.0.2.1"], ["192.0.2.2"], ["192.0.2.1", "192.0.2.3"]].map(answer),
  },
};

const numbers = fc.record({ confirmations: fc.nat(4), recoveries: fc.nat(4) });

test.each(["HTTP", "TLS", "DNS"] as const)(
  "behavior 13.1, 13.9, 13.16: with one location, a %s monitor has the same history as without locations",
  (type) => {
    const { setting = {}, seen = [] } = kinds[type] ?? {};
    const step = fc.record({
      evidence: fc.constantFrom(...seen),
      // They may change between two checks (behavior 11.10).
      changed: fc.option(numbers, { freq: 8, nil: {} }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), numbers, (steps, initial) => {
        let remote = placed({ ...setting, locations: ["fra"], ...initial });
        let local: RecordingSubject = { ...remote, places: null, state: { ...remote.state, places: null } };
        for (const [at, { evidence, changed }] of steps.entries()) {
          const event = check(`${at * 20} fra up`, { evidence });
          const one = walk({ ...remote, ...changed }, [event]);
          const other = planRecording(new Map([["m", { ...local, ...changed }]]), [
            { ...event, location: HERE },
          ]);
          const state = other.states.get("m") ?? local.state;
          for (const field of [
            "status",
            "statusSince",
            "troubleSince",
            "outage",
            "lastGoodLatencyMs",
          ] as const)
            expect(one.state[field]).toEqual(state[field]);
          expect(one.outages).toEqual(other.outages);
          expect(one.transitions.map(({ locations: _, ...known }) => known)).toEqual(other.transitions);
          expect(one.results.map(withoutLocation)).toEqual(other.results.map(withoutLocation));
          expect(one.state.places?.get(1)).toMatchObject({
            baseline: state.baseline,
            memory: state.memory,
            // The further check of a suspicion is the re-check of the location.
            recheckAt: state.suspicion ? state.nextCheckAt : null,
          });
          remote = { ...one.after, ...changed };
          local = { ...local, ...changed, state };
        }
      }),
      { numRuns: walks(500) },
    );
  },
);

function withoutLocation({ location: _, detail, ...result }: { location: number; detail: object | null }) {
  const { location: __, ...others } = (detail ?? {}) as { location?: string };
  return { ...result, detail: others };
}

function tlsUntil(validTo: string) {
  return { protocol: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", validTo, advice: [] };
}

function answer(values: string[]): Evidence {
  const lookups =
    values.length === 0
      ? [{ recordType: "A" as const, values: [] as [], failure: "nxdomain" as const }]
      : [{ recordType: "A" as const, values, failure: null }];
  return { outcome: "looked_up", answer: { hostname: "a.example", lookups } };
}
