import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ApiServer } from "../support/product/api-server.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createLocation, type ProbeClient } from "../support/requests/probe-client.ts";
import { engineOfTests } from "../support/store/engines.ts";

let server: ApiServer;
let owner: Client;
let probe: ProbeClient;
let monitorId: string;

beforeEach(async () => {
  server = await ApiServer.start();
  owner = (await server.organization("faults", "enterprise")).owner;
  const location = await createLocation(owner, "fra");
  ({ probe } = location);
  await probe.work();
  const config = { url: "http://127.0.0.1:1/", interval: 86_400 };
  monitorId = (await createMonitor(owner, "HTTP", { config, locations: [location.id] })).id;
});

afterEach(() => server[Symbol.asyncDispose]());

async function results(): Promise<unknown[]> {
  return (await owner.get(`/api/v1/monitors/${monitorId}/results`)).body.data;
}

describe("behavior 13.35: while the database takes no writes", () => {
  test("observations get a 503, do not count for the limit, and can be sent again", async () => {
    const now = server.now();
    const seen = Array.from({ length: 500 }, (_, at) => ({ monitorId, at: now - 5000 + at }));
    const batch = probe.batch(...seen);
    const end = await server.db.breakWrites("read-only");
    for (let tries = 0; tries < 4; tries++) {
      const { status, headers } = await probe.send("POST", "results", batch);
      expect(status).toBe(503);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await results()).toEqual([]);
    await end();
    const { status, body } = await probe.send("POST", "results", batch);
    expect({ status, recorded: body.data?.recorded }).toEqual({ status: 200, recorded: 500 });
  });

  test("a probe gets its work", async () => {
    const end = await server.db.breakWrites("read-only");
    const { status, body } = await probe.work();
    await end();
    expect({ status, monitors: body.data?.monitors.length }).toEqual({ status: 200, monitors: 1 });
  });

  test.skipIf(engineOfTests().name !== "sqlite")(
    "observations that may not be on the disk get a 503, and are acknowledged once they are",
    async () => {
      const batch = probe.batch({ monitorId });
      const end = await server.db.failSyncs();
      expect((await probe.send("POST", "results", batch)).status).toBe(503);
      await end();
      const { status, body } = await probe.send("POST", "results", batch);
      expect({ status, repeated: body.data?.repeated }).toEqual({ status: 200, repeated: 1 });
      expect(await results()).toHaveLength(1);
    },
  );
});
