import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createChannel, createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const data = async (path: string) => (await owner.get(`/api/v1/monitors/${path}`)).body.data;

describe("behavior 11.1: the numbers of a monitor", () => {
  test("are in every response, and 0 if they are not sent", async () => {
    const { id, ...created } = await createMonitor(owner, "HTTP");
    expect(created).toMatchObject({ confirmations: 0, recoveries: 0 });
    const { status, body } = await owner.patch(`/api/v1/monitors/${id}`, { recoveries: 10 });
    expect([status, body.data]).toMatchObject([200, { confirmations: 0, recoveries: 10 }]);
    expect(await data(id)).toMatchObject({ confirmations: 0, recoveries: 10 });
    const listed = (await owner.get("/api/v1/monitors")).body.data;
    expect(listed.find((one: { id: string }) => one.id === id)).toMatchObject({ recoveries: 10 });
  });

  test.each(["SCHEDULED", "TCP", "TLS", "DNS"] as const)("are taken for %s", async (type) => {
    const numbers = { confirmations: 10, recoveries: 1 };
    expect(await createMonitor(owner, type, numbers)).toMatchObject(numbers);
  });

  test.each([
    [-1, "a whole number from 0 to 10, got -1"],
    [11, "a whole number from 0 to 10, got 11"],
    [1.5, "a whole number from 0 to 10, got 1.5"],
    ["1", "a whole number from 0 to 10"],
    [null, "a whole number from 0 to 10"],
  ])("are refused if one is %j", async (value, words) => {
    const { id } = await createMonitor(owner, "HTTP");
    for (const field of ["confirmations", "recoveries"]) {
      const answers = [
        await owner.post("/api/v1/monitors", newMonitor("HTTP", { [field]: value })),
        await owner.patch(`/api/v1/monitors/${id}`, { [field]: value }),
      ];
      for (const { status, body } of answers) {
        expect(status).toBe(422);
        expect(body.error).toContain(`${field} must be ${words}`);
      }
    }
  });
});

test("behavior 7.66, 11.7, 11.9, 11.11, 11.13: a job fails after a second failure, and every failure is answered as one", async () => {
  await using receiver = new Receiver();
  const { id: channel } = await createChannel(owner, { config: { url: receiver.url } });
  const { id } = await createMonitor(owner, "SCHEDULED", { confirmations: 1, alertChannelIds: [channel] });
  await checkIn(owner, id, "ok");
  const failed = await owner.get(`/api/v1/monitors/${id}/checkin?status=fail`);
  expect(failed.body).toEqual({ recorded: "failure", monitor: id });
  expect(await data(id)).toMatchObject({ status: "ok" });
  const [first] = await data(`${id}/results`);
  expect(first).toMatchObject({
    status: "ok",
    detail: { seen: { status: "failed" } },
    alertTriggered: false,
  });
  expect((await data(`${id}/report`)).suspicion).toEqual({
    status: "failed",
    checks: 1,
    needed: 2,
    since: first.createdAt,
  });

  await checkIn(owner, id, "fail");
  expect(await data(id)).toMatchObject({ status: "failed" });
  expect(await data(`${id}/report`)).toMatchObject({
    suspicion: null,
    since: first.createdAt,
    outages: [{ start: first.createdAt, end: null, status: "failed" }],
  });
  const { payload } = await eventually(() => receiver.received.length > 0 && receiver.only());
  expect(payload).toMatchObject({ data: { status: "failed", previousStatus: "ok", since: first.createdAt } });

  await checkIn(owner, id, "ok");
  expect(await data(id)).toMatchObject({ status: "ok" });
});
