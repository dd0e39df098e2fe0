import { expect, test } from "bun:test";
import { Binary } from "../support/product/binary.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { breakRhythm } from "../support/store/states.ts";

test("behavior 7.12: the answer to an internal error has no internals, and the log has the cause", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const { id, checkinUrl } = await createMonitor(client, "SCHEDULED");
  const { id: other } = await createMonitor(client, "SCHEDULED");
  await checkIn(client, id, "ok");
  await using opened = await binary.attach();
  await breakRhythm(opened.db, id, Date.now());

  const response = await fetch(checkinUrl);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: "Internal error" });
  expect((await client.get(`/api/v1/monitors/${other}/checkin`)).status).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await server.log).toContain("Mars/Olympus");
}, 300_000);
