import { expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createChannel, createMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());

const window = { days: ["mon", "fri"], from: "22:00", to: "24:00" };
const hours = { timezone: "Europe/Berlin", windows: [window] };

const stored = async (owner: Client, id: string) =>
  (await owner.get(`/api/v1/monitors/${id}`)).body.data.alertBindings;

async function boundMonitor(owner: Client) {
  const { id: alertChannelId } = await createChannel(owner);
  const { id } = await createMonitor(owner, "SCHEDULED", { alertBindings: [{ alertChannelId, hours }] });
  return { id, alertChannelId };
}

test("behavior 23.1: POST and PATCH take hours, and responses have them only if they are set", async () => {
  const owner = await server.organization();
  const { id, alertChannelId } = await boundMonitor(owner);
  const binding = { monitorId: id, alertChannelId, hours: { ...hours, outside: "hold" } };
  expect(await stored(owner, id)).toEqual([binding]);
  expect((await owner.get(`/api/v1/alerts/${alertChannelId}`)).body.data.bindings).toEqual([binding]);
  const drop = { alertBindings: [{ alertChannelId, after: 60, hours: { ...hours, outside: "drop" } }] };
  const { status, body } = await owner.patch(`/api/v1/monitors/${id}`, drop);
  expect([status, body.data.alertBindings]).toEqual([200, [{ monitorId: id, ...drop.alertBindings[0] }]]);
  await owner.patch(`/api/v1/monitors/${id}`, { alertChannelIds: [alertChannelId] });
  expect(await stored(owner, id)).toEqual([{ monitorId: id, alertChannelId }]);
});

const AT = "alertBindings.0.hours";

test.each([
  [{ timezone: undefined }, `${AT}.timezone is required`],
  [{ timezone: "Berlin" }, `${AT}.timezone must be the IANA name of a time zone, such as Europe/Berlin`],
  [{ timezone: "+02:00" }, `${AT}.timezone must be the IANA name of a time zone, such as Europe/Berlin`],
  [{ windows: undefined }, `${AT}.windows is required`],
  [{ windows: [] }, `${AT}.windows must be an array of 1 to 20 entries`],
  [{ windows: Array(21).fill(window) }, `${AT}.windows must be an array of 1 to 20 entries`],
  [{ windows: [{ ...window, days: [] }] }, `${AT}.windows.0.days must be an array of at least 1 entry`],
  [{ windows: [{ ...window, days: ["mon", "mon"] }] }, `${AT}.windows.0.days must not list an entry twice`],
  [
    { windows: [{ ...window, days: ["Monday"] }] },
    `${AT}.windows.0.days.0 must be one of mon, tue, wed, thu, fri, sat, sun`,
  ],
  [
    { windows: [window, { ...window, from: "24:00" }] },
    `${AT}.windows.1.from must be a time of day from 00:00 to 23:59, such as 08:00`,
  ],
  [
    { windows: [{ ...window, from: "8:00" }] },
    `${AT}.windows.0.from must be a time of day from 00:00 to 23:59, such as 08:00`,
  ],
  [
    { windows: [{ ...window, to: "24:01" }] },
    `${AT}.windows.0.to must be a time of day from 00:00 to 24:00, such as 18:00`,
  ],
  [{ windows: [{ ...window, until: "9" }] }, `${AT}.windows.0.until is not a known field`],
  [{ outside: "later" }, `${AT}.outside must be one of hold, drop`],
  [{ only: true }, `${AT}.only is not a known field`],
])("behavior 23.1: hours with %j are refused, and nothing changes", async (changes, error) => {
  const owner = await server.organization();
  const { id, alertChannelId } = await boundMonitor(owner);
  const before = await stored(owner, id);
  const alertBindings = [{ alertChannelId, hours: { ...hours, ...changes } }];
  expect(await owner.patch(`/api/v1/monitors/${id}`, { alertBindings })).toMatchObject({
    status: 422,
    body: { error },
  });
  expect(await stored(owner, id)).toEqual(before);
});

test("behavior 23.1: the audit log has the old hours, also if there were none, and a change can be undone", async () => {
  const owner = await server.organization();
  const { id, alertChannelId } = await boundMonitor(owner);
  const path = `/api/v1/monitors/${id}`;
  const latest = async () => (await owner.get("/api/v1/audit?limit=1")).body.data[0];
  await owner.patch(path, { alertChannelIds: [alertChannelId] });
  const set = { alertChannelId, after: 0, every: 0, hours: { ...hours, outside: "hold" } };
  expect(await latest()).toMatchObject({ changed: ["alertBindings"], before: { alertBindings: [set] } });
  const undone = await owner.post(`/api/v1/audit/${(await latest()).id}/undo`);
  expect(undone.status).toBe(200);
  expect(await stored(owner, id)).toMatchObject([{ hours: set.hours }]);
  expect((await latest()).before.alertBindings).toEqual([{ alertChannelId, after: 0, every: 0 }]);
});

test("behavior 23.1: documents have hours: an export applies without a change, and a change is planned", async () => {
  const owner = await server.organization();
  const document = (to: string) => ({
    channels: { ops: { type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } } },
    monitors: {
      backup: {
        type: "SCHEDULED",
        config: { period: 86_400 },
        alertBindings: [
          { alertChannelId: "ops", hours: { ...hours, windows: [{ days: ["mon"], from: "22:00", to }] } },
        ],
      },
    },
  });
  const apply = (body: object, query = "") => owner.post(`/api/v1/apply${query}`, body);
  expect((await apply(document("24:00"))).status).toBe(200);
  const exported = (await owner.get("/api/v1/export")).body.data.document;
  const [binding] = exported.monitors.backup.alertBindings;
  expect(binding).toMatchObject({
    alertChannelId: "ops",
    hours: { timezone: "Europe/Berlin", outside: "hold" },
  });
  const planned = async (body: object) => (await apply(body, "?dryRun=true")).body.data.changes;
  expect(await planned(exported)).toEqual([]);
  expect(await planned(document("24:00"))).toEqual([]);
  expect(await planned(document("23:00"))).toMatchObject([{ ref: "backup", fields: ["alertBindings"] }]);
  expect(await apply(document("25:00"))).toMatchObject({
    status: 422,
    body: {
      error: expect.stringContaining(
        "monitors.backup.alertBindings.0.hours.windows.0.to: must be a time of day",
      ),
    },
  });
});
