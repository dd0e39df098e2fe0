import { expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { observation } from "../../support/probes/observation.ts";
import { isMissing } from "../../support/requirements.ts";

setDefaultTimeout(300_000);

const path = fileURLToPath(new URL("../../support/probes/ping-in-own-namespace.ts", import.meta.url));

const reached = (count: number) => ({
  outcome: "reached",
  detail: { ping: { sent: count, received: count } },
});
const failed = (reason: string, sent: number) => ({
  outcome: "failed",
  reason,
  detail: { ping: { sent, received: 0, minMs: null, avgMs: null, maxMs: null } },
});

test.each([
  ["a network namespace", []],
  ["a user namespace", ["--user", "--map-root-user"]],
])("behavior 20.30, 20.31, 20.34, 20.35: what pings see in %s", async (_, options) => {
  if (isMissing(["unshare", "nsenter", "ip"], { root: true })) return;
  const child = Bun.spawn(["unshare", "--net", ...options, process.execPath, path]);
  const output = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  const { closed, access, seen, beside, silent, many, few, ...others } = JSON.parse(output);

  expect(access).toEqual({ before: false, after: true });
  expect(closed).toMatchObject({
    outcome: "inconclusive",
    message: expect.stringContaining('sysctl -w net.ipv4.ping_group_range="0 0"'),
  });

  const { here, noRoute, noRoute6, ...single } = seen;
  expect(here).toMatchObject(reached(2));
  const { minMs, avgMs, maxMs } = here.detail.ping;
  expect(here.latencyMs).toBe(avgMs);
  expect(avgMs).toBeWithin(minMs, maxMs + 0.001);
  expect(here.detail).toEqual({
    address: "127.0.0.1",
    phases: { resolve: expect.any(Number) },
    ping: expect.anything(),
  });
  for (const one of Object.values(single)) expect(one).toMatchObject(reached(1));
  for (const one of [noRoute, noRoute6]) expect(one).toMatchObject(failed("unreachable", 1));

  for (const one of beside) expect(one).toMatchObject(reached(3));
  expect(others.unreachable).toMatchObject(failed("unreachable", 3));
  expect(others.unreachable6).toMatchObject(failed("unreachable", 3));
  expect(silent).toMatchObject(failed("timeout", 2));
  expect(silent.detail.message).toBe("no reply to 2 pings within 0.5 s");

  // The address that replies first, or each of them.
  expect(others.named.first).toMatchObject({ ...reached(1), detail: { address: "127.0.0.1" } });
  expect(others.named.every).toMatchObject({
    outcome: "by_address",
    addresses: [
      { address: "127.0.0.1", evidence: reached(1) },
      { address: "203.0.113.1", evidence: failed("timeout", 1) },
    ],
  });
  expect(others.ended).toEqual({ outcome: "inconclusive", message: "the check was cancelled" });

  expect(many).toMatchObject(reached(5));
  expect(few).toMatchObject({ outcome: "reached", detail: { ping: { sent: 5, received: 1 } } });

  expect(others.underPressure).toHaveLength(100);
  for (const one of others.underPressure) expect(one).toMatchObject(reached(5));
  // Replies that this machine has lost are no fault of the target.
  expect(others.flooded).toEqual({ reached: expect.any(Number), shortage: expect.any(Number) });
  expect(others.cancelled).toMatchObject({ sent: 1, received: 0 });
  // It would take bytes from connections of other threads.
  expect(others.leavesNextAlone).toBe(true);
});

test("behavior 20.30: a private address is not pinged if the operator forbids it", async () => {
  const config = { host: "127.0.0.1", protocol: "icmp" } as const;
  const seen = await observation("TCP", config, { privateTargets: "deny" });
  expect(seen).toMatchObject({ outcome: "failed", reason: "private_target" });
});
