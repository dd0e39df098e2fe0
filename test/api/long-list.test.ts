import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { countStandings } from "../../src/domain/monitors/standing.ts";
import { TestServer } from "../support/product/server.ts";
import { parseAnswer } from "../support/requests/raw-request.ts";
import { createDatabase } from "../support/store/database.ts";
import { createMany, setStatus } from "../support/store/states.ts";

let server: TestServer;
let ids: string[];

beforeAll(async () => {
  server = await TestServer.start();
  // The list is longer than the socket buffers.
  ids = await createMany(server.db, 6000);
});

afterAll(() => server[Symbol.asyncDispose]());

const LIST = "/api/v1/monitors?range=90d";

/** Sends a request and waits for the first bytes of the response. `rest` reads the response. */
async function begin(path: string) {
  const { hostname, port } = new URL(server.client.url);
  const socket = connect(Number(port), hostname);
  const head = [`GET ${path} HTTP/1.1`, "Host: a", `Authorization: Bearer ${server.client.key}`];
  socket.write(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  const bytes: Buffer[] = [];
  await new Promise((resolve) => socket.once("readable", resolve));
  return {
    async rest(): Promise<{ id: string }[]> {
      for await (const chunk of socket) bytes.push(chunk);
      const { status, body } = parseAnswer(Buffer.concat(bytes).toString());
      expect({ status, body }).toMatchObject({ status: 200 });
      return (body as { data: { id: string }[] }).data;
    },
    end: () => socket.destroy(),
  };
}

describe("a list of thousands of monitors", () => {
  test("behavior 7.35: has each of them once, oldest first", async () => {
    const { status, headers, body } = await server.client.get(LIST);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    const other = await server.client.get("/api/v1/status");
    expect(headers.get("content-type")).toBe(other.headers.get("content-type") ?? "");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("behavior 7.35: is streamed, and has each monitor once that was neither created nor deleted meanwhile", async () => {
    const answer = await begin(LIST);
    const deleted = [ids[0] ?? "", ids.at(-2) ?? ""];
    for (const id of deleted) await server.client.delete(`/api/v1/monitors/${id}`);
    const all = await createMany(server.db, 1);
    const listed = (await answer.rest()).map(({ id }) => id);
    const stayed = ids.filter((id) => !deleted.includes(id));
    expect(new Set(listed).size).toBe(listed.length);
    expect(stayed.filter((id) => !listed.includes(id))).toEqual([]);
    // It is beyond the socket buffers, so it was not read before it was deleted.
    expect(listed).not.toContain(deleted[1]);
    expect((await server.client.get(LIST)).body.data.map(({ id }: { id: string }) => id)).toEqual(all);
    ids = all;
  });

  test("is aborted if its client disconnects, and other requests are answered", async () => {
    for (let at = 0; at < 20; at++) (await begin(LIST)).end();
    expect((await server.client.get("/api/v1/monitors?type=HTTP")).body).toEqual({ data: [] });
  });

  test("has only monitors of the requested type", async () => {
    const config = { host: "127.0.0.1", port: 1, interval: 60 };
    const monitor = { name: "another type", type: "TCP", config, enabled: false };
    const { id } = (await server.client.post("/api/v1/monitors", monitor)).body.data;
    const { data } = (await server.client.get("/api/v1/monitors?type=TCP")).body;
    expect(data.map((one: { id: string }) => one.id)).toEqual([id]);
    await server.client.delete(`/api/v1/monitors/${id}`);
  });

  test("has its counts in the overview, and the worst first", async () => {
    for (const id of [5, 2005, 4005].map((at) => ids[at] ?? "")) {
      await server.client.patch(`/api/v1/monitors/${id}`, { name: "broken" });
      await setStatus(server.db, id, "failed");
    }
    for (const id of [6, 2006, 4006].map((at) => ids[at] ?? "")) {
      await server.client.patch(`/api/v1/monitors/${id}`, { enabled: false });
    }
    const { data: all } = (await server.client.get("/api/v1/overview")).body;
    const { data } = (await server.client.get("/api/v1/overview?first=5&range=7d")).body;
    expect(all.counts).toEqual({ ...countStandings([]), down: 3, waiting: ids.length - 6, paused: 3 });
    expect(data.counts).toEqual(all.counts);
    expect(all.monitors.map(({ id }: { id: string }) => id)).toEqual(ids);
    const names = data.monitors.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["broken", "broken", "broken", "job 1", "job 2"]);
  });
});

test("the event loop runs between the slices of lists, also for concurrent lists", async () => {
  await using database = await createDatabase();
  const { db, store, owner } = database;
  await createMany(db, 500);
  let turns = 0;
  let ended = false;
  const count = () => {
    turns++;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const query = { type: undefined, range: "90d" } as const;
  const lists = [1, 2, 3].map(() =>
    Array.fromAsync(store.monitors.list(owner.organizationId, query, server.now())),
  );
  const slices = (await Promise.all(lists)).map(({ length }) => length);
  ended = true;
  expect(Math.min(...slices)).toBeGreaterThan(1);
  expect(turns).toBeGreaterThanOrEqual(slices.reduce((sum, count) => sum + count) - 1);
});
