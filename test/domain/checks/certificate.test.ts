import { expect, test } from "bun:test";
import { type Certificate, judgeCertificate } from "../../../src/domain/checks/certificate.ts";
import { judgeCheck } from "../../../src/domain/checks/judge.ts";

const END = Date.parse("2027-03-01T00:00:00Z");
const START = Date.parse("2026-12-01T00:00:00Z");
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

const certificate: Certificate = {
  authorized: false,
  authorizationError: "DEPTH_ZERO_SELF_SIGNED_CERT",
  subject: "CN=example.com",
  issuer: "CN=example.com",
  names: ["example.com"],
  validFrom: new Date(START).toISOString(),
  validTo: new Date(END).toISOString(),
  fingerprint: "AA:BB",
  protocol: "TLSv1.3",
};

test.each([
  ["before its time has come", START - SECOND, "expired"],
  ["when its time comes, although it does not verify", START, "active"],
  ["more than 14 days before its end", END - 14 * DAY - SECOND, "active"],
  ["14 days before its end", END - 14 * DAY, "expiring_soon"],
  ["a second before its end", END - SECOND, "expiring_soon"],
  ["at its end", END, "expired"],
  ["long after its end", END + 400 * DAY, "expired"],
])("behavior 1.34, 1.35, 1.36: a certificate %s", (_, now, status) => {
  expect(judgeCertificate(certificate, now)).toBe(status as "expired");
});

test.each([
  [1, 2, "active"],
  [1, 1, "expiring_soon"],
  [60, 60, "expiring_soon"],
  [60, 61, "active"],
])(
  "behavior 10.13: with %d warning days, a certificate %d days before its end is %s",
  (warnDays, left, status) => {
    const judged = {
      type: "TLS",
      config: { host: "a", port: 443, interval: 60, warnDays },
      memory: null,
    } as const;
    const seen = { outcome: "certified", latencyMs: 1, certificate, detail: {} } as const;
    expect(judgeCheck(judged, seen, END - left * DAY).status).toBe(status as "active");
  },
);
