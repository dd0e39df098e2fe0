import { expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

async function get(path: string, client = owner) {
  const headers = { authorization: `Bearer ${client.key}` };
  const response = await fetch(new URL(path, client.url), { headers });
  return { response, lines: (await response.text()).split("\r\n") };
}

/** A job that failed and recovered. */
async function createJob(client: Client, name: string): Promise<string> {
  const { id } = (await client.post("/api/v1/monitors", { ...newMonitor("SCHEDULED"), name })).body.data;
  await client.post(`/api/v1/monitors/${id}/checkin?status=fail`);
  await client.post(`/api/v1/monitors/${id}/checkin`);
  return id;
}

test("behavior 14.77: the results of a monitor are a CSV file", async () => {
  const id = await createJob(owner, "job");
  const { response, lines } = await get(`/api/v1/monitors/${id}/results.csv`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv;charset=utf-8;header=present");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="results.csv"');
  expect(lines).toEqual([
    "createdAt,status,latencyMs,reason,message,detail,id,exitCode,runMs",
    expect.stringMatching(new RegExp(`^${TIME.source},failed,,,,,[0-9a-z]{10},,$`)),
    expect.stringMatching(new RegExp(`^${TIME.source},ok,,,,,[0-9a-z]{10},,$`)),
    "",
  ]);
});

test("behavior 14.78: the outages of an organization are a CSV file, in which no name is a formula", async () => {
  const client = await server.organization();
  const id = await createJob(client, '=HYPERLINK("http://x","y"), 1');
  const { response, lines } = await get("/api/v1/outages.csv", client);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="outages.csv"');
  const columns = "startedAt,endedAt,seconds,monitorId,monitorName,monitorType,status,reason";
  expect(lines).toEqual([
    `${columns},acknowledgedAt,acknowledgedBy,note,maintenanceId,id,downSince,downSeconds`,
    expect.stringMatching(new RegExp(`^${TIME.source},${TIME.source},\\d+,${id},.*,${TIME.source},\\d+$`)),
    "",
  ]);
  expect(lines[1]).toContain(`,"'=HYPERLINK(""http://x"",""y""), 1",SCHEDULED,failed,,,,,,`);
});

test("behavior 14.77: a stretch without results is a file with the names of the columns", async () => {
  const id = await createJob(owner, "job");
  const stretch = "from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00%2B01:00";
  for (const path of [`/api/v1/monitors/${id}/results.csv`, "/api/v1/outages.csv"]) {
    const { response, lines } = await get(`${path}?${stretch}`);
    expect(response.status).toBe(200);
    expect(lines).toHaveLength(2);
  }
});

test("behavior 14.77: every role may export what its organization has", async () => {
  const id = await createJob(owner, "job");
  const path = `/api/v1/monitors/${id}/results.csv`;
  expect((await get(path, owner.as(await server.keyWith("viewer")))).response.status).toBe(200);
  expect((await owner.as(undefined).get(path)).status).toBe(401);
  expect((await (await server.organization()).get(path)).status).toBe(404);
  expect((await owner.get("/api/v1/monitors/none/results.csv")).status).toBe(404);
});

test.each([
  ["from=yesterday", "from must be an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z"],
  ["from=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00Z", "to must be later than from"],
])("behavior 14.77: %s is a 422", async (query, error) => {
  const id = await createJob(owner, "job");
  for (const path of [`/api/v1/monitors/${id}/results.csv`, "/api/v1/outages.csv"])
    expect(await owner.get(`${path}?${query}`)).toMatchObject({ status: 422, body: { error } });
});
