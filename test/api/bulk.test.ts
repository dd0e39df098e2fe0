import { expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

const BULK = "/api/v1/monitors/bulk";

test("behavior 16.260, 16.263: the answer counts all monitors, and names the first 100 that change", async () => {
  const owner = await server.organization();
  const { id: channel } = await createChannel(owner);
  const monitors = [];
  for (let at = 0; at < 101; at++)
    monitors.push(await createMonitor(owner, "SCHEDULED", { name: `m ${at}` }));
  const body = { selector: { withoutChannels: true }, change: { addChannels: [channel] } };
  const foretold = (await owner.post(`${BULK}?dryRun=true`, body)).body.data;
  expect(foretold).toEqual({
    matched: 101,
    changedCount: 101,
    changed: monitors.slice(0, 100).map(({ id, name }) => ({ id, name, changed: ["alertBindings"] })),
    refusedCount: 0,
    refused: [],
  });
  expect((await owner.get("/api/v1/alerts/report")).body.data[0].boundMonitors).toBe(0);
  expect((await owner.post(BULK, body)).body.data).toEqual(foretold);
  expect((await owner.get("/api/v1/alerts/report")).body.data[0].boundMonitors).toBe(101);
});

test.each([
  [
    { selector: {}, change: { addChannels: ["x"] } },
    "selector must be an object with at least one of monitorIds, tags, all, withoutChannels, matching",
  ],
  [
    { selector: { all: true }, change: {} },
    "change must be an object with at least one of addChannels, removeChannels, addTags, removeTags, enabled, interval, delete",
  ],
  [{ selector: { all: true } }, "change is required"],
  [
    { selector: { all: true }, change: { addChannels: [] } },
    "change.addChannels must be an array of at least 1 entry",
  ],
  [{ selector: { all: false }, change: { addChannels: ["x"] } }, "selector.all must be true, got false"],
  [
    { selector: { all: true }, change: { addChannels: ["x"] } },
    "change.addChannels.0 is not an alert channel of this organization",
  ],
])("behavior 16.260: %j is refused", async (body, error) => {
  expect(await (await server.organization()).post(BULK, body)).toMatchObject({
    status: 422,
    body: { error },
  });
});

test("behavior 16.260: a viewer may not change monitors", async () => {
  const owner = await server.organization();
  const { key } = (await owner.post("/api/v1/api-keys", { name: "v", role: "viewer" })).body.data;
  expect((await owner.as(key).post(BULK, {})).status).toBe(403);
});
