import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { TestServer } from "../support/product/server.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { isMissing } from "../support/requirements.ts";

const program = fileURLToPath(new URL("../support/product/ping-server-in-own-namespace.ts", import.meta.url));
const SETTING = `set net.ipv4.ping_group_range so that it has the group 0, for example with sysctl -w net.ipv4.ping_group_range="0 0"`;
const refused = (of = "") => ({
  status: 422,
  body: {
    error: `config.protocol${of} can't be icmp: this machine does not let stillup ping: ${SETTING}`,
  },
});

test("behavior 20.35, 20.36, 20.37: where the system does not allow pings, such monitors are refused, and never down", async () => {
  if (isMissing(["unshare", "ip"], { root: true })) return;
  const child = Bun.spawn(["unshare", "--net", process.execPath, program], { stderr: "ignore" });
  const output = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  const seen = JSON.parse(output);
  for (const name of ["create", "probe", "change", "resume"])
    expect(seen[`${name} while closed`]).toEqual(refused());
  expect(seen["apply while closed"]).toMatchObject(refused(' of "a host"'));
  for (const name of ["rename", "pause"]) expect(seen[`${name} while closed`]).toMatchObject({ status: 200 });
  expect(seen["create while open"].status).toBe(201);
  expect(seen["probe while open"]).toMatchObject({
    status: 200,
    body: { data: { status: "up", detail: { ping: { sent: 3, received: 3 } } } },
  });
  expect(seen["health without a monitor"]).not.toHaveProperty("ping");
  expect(seen["health while open"]).not.toHaveProperty("ping");
  expect(seen["health while closed"]).toMatchObject({ status: "ok", ping: "closed" });
  expect(seen["server while closed"]).toMatchObject({ ping: "closed" });
  expect(seen["status while closed"]).toBe("up");
  expect(seen.outages).toEqual([]);
}, 300_000);

test("behavior 20.38: a location gets monitors to ping if its probe says that it may, or has never connected", async () => {
  await using server = await TestServer.start();
  const { client } = server;
  const { id, probe } = await createLocation(client, "fra");
  const config = { host: "127.0.0.1", protocol: "icmp", interval: 86_400 };
  const create = () => client.post("/api/v1/monitors", newMonitor("TCP", { config, locations: [id] }));
  const work = async (query = {}) => (await probe.work(query)).body.data.monitors;
  const report = async () => (await client.get("/api/v1/locations/report")).body.data[0];

  expect(await create()).toMatchObject({ status: 201 });
  expect(await work()).toEqual([]);
  expect(await create()).toMatchObject({
    status: 422,
    body: { error: "config.protocol can't be icmp: the probe of fra does not know pings: update it" },
  });
  expect(await report()).not.toHaveProperty("ping");

  expect(await work({ ping: "closed" })).toMatchObject([{ config }]);
  expect((await create()).body.error).toStartWith(
    "config.protocol can't be icmp: the machine of fra does not let its probe ping: set net.ipv4.ping_group_range there",
  );
  expect(await report()).toMatchObject({ ping: "closed" });

  expect(await work({ ping: "open" })).toMatchObject([{ config }]);
  expect(await create()).toMatchObject({ status: 201 });
  expect(await report()).not.toHaveProperty("ping");
});

test("behavior 20.38: a probe of an earlier version gets no monitors with a protocol", async () => {
  await using server = await TestServer.start();
  const { client } = server;
  const { id, probe } = await createLocation(client, "fra");
  const create = (type: "HTTP" | "TCP", config: object) =>
    client.post("/api/v1/monitors", newMonitor(type, { config, locations: [id] }));
  await create("HTTP", { url: "http://127.0.0.1:9/", protocol: "grpc", interval: 60 });
  await create("TCP", { host: "127.0.0.1", port: 9, protocol: "ssh", interval: 60 });
  const { body } = await create("TCP", { host: "127.0.0.1", port: 9, interval: 60 });
  const work = async (query = {}) => (await probe.work(query)).body.data.monitors;

  expect(await work()).toMatchObject([{ monitorId: body.data.id }]);
  expect(await work({ ping: "open" })).toHaveLength(3);
});
