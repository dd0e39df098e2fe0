import { expect, test } from "bun:test";
import { ApiServer } from "../support/product/api-server.ts";
import { newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());
const members = await server.organization("discovered", "enterprise");
const { admin } = members;
const me = (await admin.get("/api/v1/organization")).body.data;

const MUST = "ref must be 1 to 100 characters of a-z, 0-9 and . _ -, and begin with a letter or a digit";

/** A monitor that a discovery has created. */
async function discovered(name: string): Promise<{ id: string; ref: string }> {
  const ref = `docker/${name}`;
  const { store, now } = server;
  const monitors = { [ref]: { type: "TCP", config: { host: "127.0.0.1", port: 1 } } };
  await store.discovery.apply(me.id, { monitors }, { gone: [], deleted: [] }, now());
  const listed = await store.discovery.list(me.id);
  return { ref, id: listed.find((one) => one.ref === ref)?.id ?? "" };
}

test("behavior 28.10: answers have the ref of a discovered monitor", async () => {
  const { id, ref } = await discovered("shown");
  expect((await admin.get(`/api/v1/monitors/${id}`)).body.data.ref).toBe(ref);
  const list: { id: string }[] = (await admin.get("/api/v1/monitors")).body.data;
  expect(list.find((one) => one.id === id)).toMatchObject({ ref });
  const paused = await admin.patch(`/api/v1/monitors/${id}`, { enabled: false });
  expect([paused.status, paused.body.data.ref]).toEqual([200, ref]);
});

test("behavior 28.11: nobody else can give a ref with a slash", async () => {
  const { id, ref } = await discovered("own");
  const body = newMonitor("TCP");
  const refused = { status: 422, body: { error: MUST } };
  expect(await admin.post("/api/v1/monitors", { ...body, ref: "docker/other" })).toMatchObject(refused);
  expect(await admin.patch(`/api/v1/monitors/${id}`, { ref })).toMatchObject(refused);
  expect(await admin.put(`/api/v1/monitors/by-ref/${encodeURIComponent(ref)}`, body)).toMatchObject(refused);
  const { status, body: answer } = await admin.post("/api/v1/apply", { monitors: { [ref]: body } });
  expect([status, answer.faults[0].path]).toEqual([422, `monitors["${ref}"]`]);
});

test("behavior 28.2: a request can't say where the server reads sources", async () => {
  const discover = { docker: { socket: "/var/run/docker.sock" } };
  for (const query of ["", "?dryRun=true"]) {
    const { status, body } = await admin.post(`/api/v1/apply${query}`, { discover });
    expect([status, body.faults]).toMatchObject([422, [{ path: "discover" }]]);
  }
});
