import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { Receiver, verifySignature } from "../support/servers/receiver.ts";
import { HttpTarget, TcpTarget } from "../support/servers/targets.ts";

const SECRET = "a secret of the test";
/** Seconds. */
const INTERVAL = 2;
/** Milliseconds that a busy machine may add. */
const LATE = 3000;

async function setUp(binary: Binary, receiver: Receiver) {
  const server = await binary.serve();
  const client = await server.client();
  const hook = { name: "hook", type: "WEBHOOK", config: { url: receiver.url, secret: SECRET } };
  const { body } = await client.post("/api/v1/alerts", hook);
  const alertChannelIds = [body.data.id];
  const create = async (type: string, config: object) =>
    (await client.post("/api/v1/monitors", { name: type, type, config, alertChannelIds })).body.data;
  const status = async (id: string) => (await client.get(`/api/v1/monitors/${id}`)).body.data.status;
  return { server, client, create, status };
}

test("behavior 5.1, 5.34: a target that fails and recovers is noticed within an interval, with one signed webhook for each change", async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  await using http = new HttpTarget();
  await using tcp = await TcpTarget.start();
  const { create, status } = await setUp(binary, receiver);

  for (const [target, type, config] of [
    [http, "HTTP", { url: http.url, interval: INTERVAL }],
    [tcp, "TCP", { host: "127.0.0.1", port: tcp.port, interval: INTERVAL }],
  ] as const) {
    receiver.received.length = 0;
    const { id } = await create(type, config);
    await eventually(async () => (await status(id)) === "up");

    await target.break();
    await eventually(async () => (await status(id)) === "down", INTERVAL * 1000 + LATE);
    await eventually(() => receiver.received.length === 1);

    await target.fix();
    await eventually(async () => (await status(id)) === "up", INTERVAL * 1000 + LATE);
    await eventually(() => receiver.received.length === 2);

    expect(receiver.statuses()).toEqual(["down", "up"]);
    expect(receiver.received.map(({ payload }) => payload.data.previousStatus)).toEqual(["up", "down"]);
    expect(receiver.received[0]?.payload.data.result.detail?.reason).toBe("refused");
    for (const received of receiver.received) verifySignature(SECRET, received);
  }
}, 300_000);

test("behavior 1.41: a failed check-in sends an alert immediately, and so does the recovery", async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  const { client, create, status } = await setUp(binary, receiver);
  const { id, checkinUrl } = await create("SCHEDULED", {});

  expect(await (await fetch(checkinUrl)).json()).toEqual({ recorded: "ok", monitor: id });
  expect(await (await fetch(`${checkinUrl}?status=fail`, { method: "POST" })).json()).toEqual({
    recorded: "failure",
    monitor: id,
  });
  expect(await status(id)).toBe("failed");
  await fetch(checkinUrl, { method: "HEAD" });
  expect(await status(id)).toBe("ok");

  await eventually(() => receiver.received.length === 2);
  expect(receiver.statuses()).toEqual(["failed", "ok"]);
  for (const received of receiver.received) verifySignature(SECRET, received);

  const results = await eventually(async () => {
    const { body } = await client.get(`/api/v1/monitors/${id}/results`);
    return body.data[0].alertOutcome?.status === "delivered" && body.data;
  });
  expect(results.map((result: { alertTriggered: boolean }) => result.alertTriggered)).toEqual([
    true,
    true,
    false,
  ]);
  expect(results[0].alertOutcome.channels).toEqual([
    expect.objectContaining({ type: "WEBHOOK", status: "delivered", attempts: 1, error: null }),
  ]);
}, 300_000);
