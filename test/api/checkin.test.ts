import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor, type Type } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;
const anyone = owner.as(undefined);

async function status(id: string): Promise<string> {
  return (await owner.get(`/api/v1/monitors/${id}`)).body.data.status;
}

describe("behavior 7.64, 7.66: a check-in", () => {
  test.each(["GET", "POST"])(
    "behavior 7.64, 7.66: %s needs no key and answers without a data field",
    async (method) => {
      const { id } = await createMonitor(owner, "SCHEDULED");
      const path = `/api/v1/monitors/${id}/checkin`;
      expect(await anyone.send(method, path)).toMatchObject({
        status: 200,
        body: { recorded: "ok", monitor: id },
      });
      expect(await status(id)).toBe("ok");
      const failed = await anyone.send(method, `${path}?status=fail`);
      expect(failed.body).toEqual({ recorded: "failure", monitor: id });
      expect(await status(id)).toBe("failed");
    },
  );

  test("behavior 1.41, 7.65: any status except fail is a success", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    for (const word of ["ok", "", "FAIL", "error", "0", "%F0%9F%A6%8A"]) {
      const { body } = await anyone.get(`/api/v1/monitors/${id}/checkin?status=${word}`);
      expect(body).toEqual({ recorded: "ok", monitor: id });
    }
  });

  test("by HEAD counts once", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    expect((await anyone.send("HEAD", `/api/v1/monitors/${id}/checkin?status=fail`)).status).toBe(200);
    const { body } = await owner.get(`/api/v1/monitors/${id}/results`);
    expect(body.data.map((result: { status: string }) => result.status)).toEqual(["failed"]);
  });

  test.each(["{", "<xml/>", "status=fail", JSON.stringify({ status: "fail" })])(
    "behavior 7.65: ignores its body: %s",
    async (text) => {
      const { id } = await createMonitor(owner, "SCHEDULED");
      for (const type of [
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "nonsense",
      ]) {
        const answer = await anyone.send("POST", `/api/v1/monitors/${id}/checkin`, text, {
          "content-type": type,
        });
        expect(answer).toMatchObject({ status: 200, body: { recorded: "ok" } });
      }
    },
  );

  test("accepts unknown and repeated query parameters", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    expect((await anyone.get(`/api/v1/monitors/${id}/checkin?rid=7&status=fail&status=ok`)).status).toBe(200);
  });

  test.each(["HTTP", "TCP", "TLS", "DNS"] as Type[])(
    "behavior 1.1, 7.67: the ID of a %s monitor is a 404",
    async (type) => {
      const { id } = await createMonitor(owner, type);
      for (const method of ["GET", "POST"]) {
        const { status, body } = await anyone.send(method, `/api/v1/monitors/${id}/checkin`);
        expect({ status, body }).toEqual({ status: 404, body: { error: "Not found" } });
      }
    },
  );

  test("behavior 7.67: an unknown ID is a 404", async () => {
    expect((await anyone.get("/api/v1/monitors/nope/checkin")).status).toBe(404);
  });

  test("behavior 7.36, 9.11: checkinUrl is built from the base URL", async () => {
    await using behind = await TestServer.start({ baseUrl: "https://up.example.com/here" });
    const { id, checkinUrl } = await createMonitor(behind.client, "SCHEDULED");
    expect(checkinUrl).toBe(`https://up.example.com/here/api/v1/monitors/${id}/checkin`);
  });
});

test("behavior 1.43: a check-in on a paused monitor is recorded and changes its status, but notifies no channel", async () => {
  await using receiver = new Receiver();
  const channel = await createChannel(owner, { config: { url: receiver.url } });
  const { id } = await createMonitor(owner, "SCHEDULED", { alertChannelIds: [channel.id] });
  await anyone.get(`/api/v1/monitors/${id}/checkin`);
  await owner.patch(`/api/v1/monitors/${id}`, { enabled: false });
  await anyone.get(`/api/v1/monitors/${id}/checkin?status=fail`);
  expect(await status(id)).toBe("failed");
  await owner.patch(`/api/v1/monitors/${id}`, { enabled: true });
  await anyone.get(`/api/v1/monitors/${id}/checkin`);
  await eventually(() => receiver.received.length > 0);
  expect(receiver.statuses()).toEqual(["ok"]);
});
