import { expect, test } from "bun:test";
import type { Certificate } from "../../../src/domain/checks/certificate.ts";
import { type Judged, judgeCheck, slownessOf } from "../../../src/domain/checks/judge.ts";
import type { Evidence, Reason, TlsFacts } from "../../../src/domain/checks/observation.ts";
import { byAddress, type OfAddress } from "../../support/checks/by-address.ts";

const NOW = Date.UTC(2027, 0, 1);
const DAY = 24 * 60 * 60_000;
const HTTP: Judged = { type: "HTTP", config: { url: "https://a.example/", interval: 60 }, memory: null };
const TLS: Judged = { type: "TLS", config: { host: "a.example", port: 443, interval: 60 }, memory: null };

/** Each with its address in the detail. */
function several(evidence: OfAddress[], omitted = 0): Evidence {
  const withAddress = (one: OfAddress, at: number) => ({
    ...one,
    detail: { ...one.detail, address: `192.0.2.${at + 1}` },
  });
  return byAddress(evidence.map(withAddress), omitted);
}

const up = (latencyMs: number | null, more: object = {}): OfAddress => ({
  ...{ outcome: "reached", latencyMs, detail: { statusCode: 200 } },
  ...more,
});
const failed = (reason: Reason, more: object = {}): OfAddress => ({
  ...{ outcome: "failed", reason, detail: { message: `it is ${reason}` } },
  ...more,
});

function certificate(daysLeft: number, more: Partial<Certificate> = {}): Certificate {
  return {
    ...{ authorized: true, authorizationError: null, subject: "CN=a", issuer: "CN=b", names: ["a"] },
    validFrom: new Date(NOW - 30 * DAY).toISOString(),
    validTo: new Date(NOW + daysLeft * DAY).toISOString(),
    fingerprint: `${daysLeft}`,
    protocol: "TLSv1.3",
    ...more,
  };
}
const certified = (daysLeft: number, latencyMs = 10, more: Partial<Certificate> = {}): OfAddress => ({
  ...{ outcome: "certified", latencyMs, certificate: certificate(daysLeft, more), detail: {} },
});

const judge = (evidence: Evidence, monitor = HTTP) => judgeCheck(monitor, evidence, NOW);

test("behavior 10.101: if all addresses answer, the slowest one describes the host", () => {
  expect(judge(several([up(10), up(30), up(20)]))).toEqual({
    status: "up",
    latencyMs: 30,
    detail: {
      statusCode: 200,
      address: "192.0.2.2",
      addresses: [
        { address: "192.0.2.1", seen: "up" },
        { address: "192.0.2.2", seen: "up" },
        { address: "192.0.2.3", seen: "up" },
      ],
    },
    memory: null,
  });
});

test("behavior 10.102: if some addresses fail, the host is degraded, and the latency is of the slowest that answered", () => {
  const answered = failed("unexpected", { latencyMs: 50 });
  expect(judge(several([up(10), failed("refused"), up(20), answered]))).toEqual({
    status: "degraded",
    latencyMs: 20,
    detail: {
      statusCode: 200,
      address: "192.0.2.3",
      reason: "some_addresses",
      message: "2 of 4 addresses fail: 192.0.2.2: it is refused; 192.0.2.4: it is unexpected",
      addresses: [
        { address: "192.0.2.1", seen: "up", latencyMs: 10 },
        { address: "192.0.2.2", seen: "down", reason: "refused" },
        { address: "192.0.2.3", seen: "up", latencyMs: 20 },
        { address: "192.0.2.4", seen: "down", reason: "unexpected", latencyMs: 50 },
      ],
    },
    memory: null,
  });
  expect(judge(several([failed("timeout"), up(10)])).detail?.message).toBe(
    "1 of 2 addresses fails: 192.0.2.1: it is timeout",
  );
  const mixed = [failed("timeout"), failed("refused"), up(10), failed("timeout")];
  expect(judge(several(mixed)).detail?.message).toBe(
    "3 of 4 addresses fail: 192.0.2.1, 192.0.2.4: it is timeout; 192.0.2.2: it is refused",
  );
});

test("behavior 10.103: if all addresses fail, it is a failed check, for the reason that says most", () => {
  const seen = several([failed("unreachable"), failed("private_target"), failed("refused"), failed("reset")]);
  expect(judge(seen)).toMatchObject({
    status: "down",
    latencyMs: null,
    detail: { reason: "refused", message: "it is refused", address: "192.0.2.3" },
  });
  expect(judge(seen).detail?.addresses).toHaveLength(4);
  expect(judge(several([failed("unreachable")])).detail?.reason).toBe("unreachable");
  expect(judge(several([failed("closed"), failed("timeout")]), TLS).status).toBe("no_cert");
});

test("behavior 10.102: the addresses that were not checked are counted", () => {
  expect(judge(several([up(1)], 2)).detail?.omitted).toEqual({ addresses: 2 });
  expect(judge(several([up(1)])).detail).not.toHaveProperty("omitted");
});

test("behavior 1.48, 10.101: the latency is unknown if that of one address is", () => {
  expect(judge(several([up(10), up(null)]))).toMatchObject({ status: "up", latencyMs: null });
});

test("behavior 10.25, 10.101: an answer of one address that takes too long makes the host slow", () => {
  const slow = up(5, { slowBy: 400, detail: { statusCode: 200, message: "the answer took 900 ms" } });
  const seen = several([up(10), slow]);
  expect(slownessOf(seen)).toEqual({ lateBy: 0, isSlow: true, mayBeSlow: true });
  expect(judge(seen)).toMatchObject({
    latencyMs: 10,
    detail: {
      message: "the answer took 900 ms",
      addresses: [{ seen: "up" }, { seen: "degraded" }],
    },
  });
  const late = (lateBy: number, slowBy: number) => up(10, { lateBy, slowBy });
  expect(slownessOf(several([late(30, 20), up(1), late(40, 10)]))).toEqual({
    lateBy: 40,
    isSlow: false,
    mayBeSlow: true,
  });
});

test("behavior 10.102, 10.103: the certificate of a TLS monitor is the worst one, and one that is missing changes no status", () => {
  expect(judge(several([certified(90), certified(30), certified(60)]), TLS)).toMatchObject({
    status: "active",
    detail: { fingerprint: "30", address: "192.0.2.2" },
  });
  expect(judge(several([certified(90, 5), certified(3, 1), certified(10)]), TLS)).toMatchObject({
    status: "expiring_soon",
    latencyMs: 10,
    detail: { fingerprint: "3" },
  });
  const expired = judge(several([certified(90), certified(-1), failed("refused")]), TLS);
  expect(expired).toMatchObject({
    status: "expired",
    detail: {
      fingerprint: "-1",
      reason: "some_addresses",
      addresses: [{ seen: "active" }, { seen: "expired" }, { seen: "no_cert", reason: "refused" }],
    },
  });
  const missing = judge(several([certified(90), failed("refused")]), TLS);
  expect(missing).toMatchObject({ status: "active", detail: { reason: "some_addresses" } });
});

test("behavior 1.36, 10.103: the certificates of all addresses are remembered", () => {
  const { memory } = judge(several([certified(90), certified(60)]), TLS);
  expect(memory).toMatchObject({ valid: ["60", "90"] });
  // The clock was set back to before their start.
  const tomorrow = { validFrom: new Date(NOW + DAY).toISOString() };
  const early = several([certified(90, 1, tomorrow), certified(60, 1, tomorrow)]);
  expect(judge(early, { ...TLS, memory }).status).toBe("active");
  expect(judge(early, TLS).status).toBe("expired");
});

const tls = (daysLeft: number, advice: TlsFacts["advice"] = []): TlsFacts => ({
  ...{ protocol: "TLSv1.3", cipher: "A", advice },
  validTo: new Date(NOW + daysLeft * DAY).toISOString(),
});

test("behavior 10.104: the TLS of a host is that of the certificate that ends first, with the advice for all", () => {
  const seen = several([
    up(1, { tls: tls(50, ["weak_key"]) }),
    failed("unexpected", { tls: tls(20, ["incomplete_chain"]) }),
    up(1),
  ]);
  const { detail } = judge(seen);
  expect(detail?.tls).toEqual({ ...tls(20, ["incomplete_chain", "weak_key"]), daysLeft: 20 });
  expect(judge(several([up(1)])).detail).not.toHaveProperty("tls");
});

test("behavior 10.93, 10.104: the warning of a certificate wins over addresses that fail, and down over it", () => {
  const monitor: Judged = { ...HTTP, config: { url: "https://a.example/", interval: 60, expiryWarning: 14 } };
  const soon = "the certificate expires in 10 days, on 2027-01-11";
  const [good, bad] = [up(1, { tls: tls(90) }), up(1, { tls: tls(10) })];
  expect(judge(several([good, bad]), monitor)).toMatchObject({
    status: "degraded",
    detail: { reason: "expires_soon", message: soon },
  });
  expect(judge(several([failed("refused"), bad]), monitor)).toMatchObject({
    status: "degraded",
    detail: {
      reason: "expires_soon",
      message: `${soon}; 1 of 2 addresses fails: 192.0.2.1: it is refused`,
    },
  });
  const down = several([failed("unexpected", { tls: tls(10) })]);
  expect(judge(down, monitor)).toMatchObject({ status: "down", detail: { reason: "unexpected" } });
});

test("behavior 10.102: the list is complete, however long the messages are", () => {
  const long = failed("unexpected", { detail: { message: "x".repeat(5000) } });
  const { detail } = judge(several([up(1), ...Array(5).fill(long)]));
  expect(String(detail?.message)).toHaveLength(1024);
  const entry = { seen: "down", reason: "unexpected" };
  expect(detail?.addresses).toMatchObject([{ seen: "up" }, ...Array(5).fill(entry)]);
});
