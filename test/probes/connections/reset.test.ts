import { expect, test } from "bun:test";
import { Connector } from "../../../src/probes/connections/connector.ts";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { observation } from "../../support/probes/observation.ts";
import { startResettingServer } from "../../support/servers/resetting-server.ts";

const ROUNDS = 30;
const AT_ONCE = 20;

/** The outcomes of several hundred attempts. */
async function seenIn<T>(attempt: () => Promise<T>): Promise<Set<T>> {
  const seen: T[] = [];
  for (let round = 0; round < ROUNDS; round++)
    seen.push(...(await Promise.all(Array.from({ length: AT_ONCE }, attempt))));
  return new Set(seen);
}

test("behavior 1.56: a port that resets each connection at once is always open", async () => {
  using server = await startResettingServer();
  const tcp = { host: "127.0.0.1", port: server.port };
  const outcomes = await seenIn(async () => (await observation("TCP", tcp)).outcome);
  expect([...outcomes]).toEqual(["reached"]);
});

test("behavior 1.56: it is open for an endpoint that was silent before too", async () => {
  using server = await startResettingServer();
  const connector = new Connector(new OpenSockets());
  const endpoint = { address: "127.0.0.1", port: server.port };
  const silenced = new Lifetime();
  const attempt = connector.connect(endpoint, silenced);
  silenced.close();
  void attempt.catch(() => {});
  const seen = await seenIn(async () => {
    const end = new Lifetime();
    await connector.connect(endpoint, end);
    end.close();
    return "open";
  });
  expect([...seen]).toEqual(["open"]);
});

test("behavior 1.56: a check that needs an answer always fails there", async () => {
  using server = await startResettingServer();
  const tcp = { host: "127.0.0.1", port: server.port };
  const url = `//127.0.0.1:${server.port}/`;
  const reasons = await seenIn(async () => {
    const all = await Promise.all([
      observation("HTTP", { url: `http:${url}` }),
      observation("HTTP", { url: `https:${url}` }),
      observation("TLS", tcp),
      observation("TCP", { ...tcp, contains: "x" }),
    ]);
    return all.every((one) => one.outcome === "failed" && ["reset", "closed"].includes(one.reason));
  });
  expect([...reasons]).toEqual([true]);
});
