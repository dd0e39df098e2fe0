import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { TestServer } from "../support/product/server.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const PATH = "/api/v1/reports/monthly";
const thisMonth = () => new Date(server.now()).toISOString().slice(0, 7);

test("behavior 14.80: the report of a month has each monitor and the total", async () => {
  const client = await server.organization({ role: "viewer" });
  expect((await client.get(`${PATH}?month=${thisMonth()}`)).body.data).toEqual({
    monitors: [],
    total: { uptime: null, downMs: 0, outages: 0, mttrMs: null, maintenanceMs: 0, unknownMs: 0 },
  });
  const { id } = (await owner.post("/api/v1/monitors", { ...newMonitor("SCHEDULED"), name: "job" })).body
    .data;
  await owner.post(`/api/v1/monitors/${id}/checkin?status=fail`);
  const failed = server.now();
  await eventually(() => server.now() > failed);
  await owner.post(`/api/v1/monitors/${id}/checkin`);
  const { status, body } = await owner.get(`${PATH}?month=${thisMonth()}`);
  expect(status).toBe(200);
  const figures = {
    uptime: expect.stringMatching(/^\d+\.\d\d%$/),
    downMs: expect.any(Number),
    outages: 1,
    mttrMs: expect.any(Number),
    ...{ maintenanceMs: 0, unknownMs: 0 },
  };
  expect(body.data).toEqual({
    monitors: [{ id, name: "job", type: "SCHEDULED", ...figures }],
    total: figures,
  });
  expect(body.data.total.downMs).toBeGreaterThan(0);
});

test("behavior 14.80: a month that is to come has nothing", async () => {
  const { body } = await owner.get(`${PATH}?month=2999-12`);
  expect(body.data.total).toMatchObject({ uptime: null, downMs: 0, unknownMs: 0 });
});

test.each([
  ["", "month is required"],
  ["month=2026-13", "month must be a month such as 2027-01"],
  ["month=2026", "month must be a month such as 2027-01"],
])("behavior 14.80: %p is a 422", async (query, error) => {
  expect(await owner.get(`${PATH}?${query}`)).toMatchObject({ status: 422, body: { error } });
});

test("behavior 14.80: an invalid tag is a 422, and one that no monitor has gives none", async () => {
  expect((await owner.get(`${PATH}?month=2026-10&tag=-`)).status).toBe(422);
  expect((await owner.get(`${PATH}?month=2026-10&tag=none`)).body.data.monitors).toEqual([]);
});

test("behavior 14.79, 14.99: the report of a month is a CSV file too, in which no name is a formula", async () => {
  const client = await server.organization();
  await client.post("/api/v1/monitors", { ...newMonitor("SCHEDULED"), name: "=1+1", tags: ["web"] });
  const { id } = (await client.post("/api/v1/monitors", { ...newMonitor("SCHEDULED"), name: "job" })).body
    .data;
  await client.post(`/api/v1/monitors/${id}/checkin?status=fail`);
  const read = async (query: string) => {
    const headers = { authorization: `Bearer ${client.key}` };
    const response = await fetch(`${client.url}${PATH}.csv?${query}`, { headers });
    expect(response.headers.get("content-disposition")).toContain(`report-${thisMonth()}.csv`);
    return (await response.text()).split("\r\n");
  };
  const [columns, formula, job, end] = await read(`month=${thisMonth()}`);
  expect(columns).toBe(
    "name,uptimePercent,outages,downSeconds,mttrSeconds,maintenanceSeconds,unknownSeconds,type,id",
  );
  expect(formula).toStartWith("'=1+1,,0,0,,");
  expect(job).toMatch(new RegExp(`^job,[0-9.]*,1,[0-9.]+,,0,0,SCHEDULED,${id}$`));
  expect(end).toBe("");
  expect(await read(`month=${thisMonth()}&tag=web`)).toHaveLength(3);
  expect((await client.get(`${PATH}.csv`)).status).toBe(422);
});
