import { expect, test } from "bun:test";
import { createNetwork, OpenSockets } from "../../../src/probes/connections/network.ts";
import { createDnsClient, RecentNames } from "../../../src/probes/dns/dns-client.ts";
import { observation } from "../../support/probes/observation.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";

/**
 * Looks up again with more time, because the server shares the processors with other tests.
 *
 * @param isLate whether the server has not answered in time
 */
async function inTime<Seen>(look: (timeout: number) => Promise<Seen>, isLate: (seen: Seen) => boolean) {
  for (let timeout = 1000; ; timeout *= 4) {
    const seen = await look(timeout);
    if (!isLate(seen) || timeout > 10_000) return seen;
  }
}

const named = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind}${at}.test`);

/** A server that answers about the root and some names, and about no other. */
async function lookUp(name: string, beside: { silent: number; answered: number }, timeout: number) {
  const { silent, answered } = beside;
  const quiet = [name, ...named("silent", silent)];
  const known = named("known", answered);
  using dns = await startDnsServer({
    ...Object.fromEntries(quiet.map((one) => [one, "silence" as const])),
    ...Object.fromEntries(known.map((one) => [one, [{ type: "A" as const, name: one, data: "192.0.2.1" }]])),
  });
  const client = createDnsClient([dns], new OpenSockets());
  const [seen] = await Promise.allSettled(
    [...quiet, ...known].map((one) => client.ask({ name: one, type: "A" }, timeout)),
  );
  return seen?.status === "fulfilled" ? seen.value.failure : String(seen?.reason);
}

test.each([
  [
    "beside 20 silent names",
    { silent: 20, answered: 5 },
    expect.stringContaining("not about most of the names"),
  ],
  ["beside as many silent names as others", { silent: 19, answered: 20 }, "timeout"],
  ["beside few silent names", { silent: 8, answered: 0 }, "timeout"],
])(
  "behavior 4.20: silence about a name %s",
  async (_, beside, outcome) => {
    const seen = await inTime(
      (timeout) => lookUp("one.test", beside, timeout),
      (text) => text?.includes("none of the DNS servers can be reached") ?? false,
    );
    expect(seen).toEqual(outcome);
  },
  120_000,
);

test("behavior 4.20: monitors of silent names are inconclusive beside many others of them", async () => {
  const quiet = named("silent", 15);
  using dns = await startDnsServer(Object.fromEntries(quiet.map((name) => [name, "silence" as const])));
  const outcomes = async (timeout: number) => {
    const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
    const seen = await Promise.all(
      quiet.map((name, at) =>
        at % 2 === 0
          ? observation("DNS", { hostname: name, recordType: "A" }, { network, timeout })
          : observation("HTTP", { url: `http://${name}/` }, { network, timeout }),
      ),
    );
    return new Set(seen.map(({ outcome }) => outcome));
  };
  const seen = await inTime(outcomes, (all) => all.has("failed"));
  expect(seen).toEqual(new Set(["inconclusive"]));
}, 120_000);

test("behavior 4.20: names are forgotten after 10 to 20 seconds, and an answer ends the silence of a name", () => {
  let now = 0;
  const names = new RecentNames(() => now);
  for (const name of named("silent", 10)) names.note(name, true);
  expect(names.areMostlySilent()).toBe(true);
  now = 9999;
  expect(names.areMostlySilent()).toBe(true);
  names.note("silent0.test", false);
  expect(names.areMostlySilent()).toBe(false);
  names.note("silent0.test", true);
  now = 19_000;
  expect(names.areMostlySilent()).toBe(true);
  now = 30_000;
  expect(names.areMostlySilent()).toBe(false);
});
