import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { storedRows } from "../support/store/states.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function create(body: object) {
  return (await owner.post("/api/v1/api-keys", { name: "k", ...body })).body.data;
}

async function find(id: string) {
  const { body } = await owner.get("/api/v1/api-keys");
  return body.data.find((key: { id: string }) => key.id === id);
}

describe("behavior 7.59: an API key", () => {
  test("behavior 8.3: has these fields in the create response, including the key, without lastUsedAt", async () => {
    const { status, body } = await owner.post("/api/v1/api-keys", { name: " deploy ", role: "viewer" });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.stringMatching(/^[\w-]+$/),
          name: "deploy",
          keyPrefix: body.data.key.slice(0, 16),
          role: "viewer",
          expiresAt: null,
          createdAt: TIME,
          key: expect.stringMatching(/^stillup_[0-9A-Za-z]{43}$/),
        },
      },
    });
  });

  test("has these fields in the list, without the key", async () => {
    const { id, key: _, ...created } = await create({ expiresAt: "2036-01-01T02:00:00+02:00" });
    expect(await find(id)).toEqual({
      id,
      ...created,
      expiresAt: "2036-01-01T00:00:00.000Z",
      lastUsedAt: null,
    });
  });

  test("has its last use in the next response, without a write for each request", async () => {
    const { id, key } = await create({ role: "viewer" });
    const before = server.now();
    await owner.as(key).get("/api/v1/status");
    expect(Date.parse((await find(id)).lastUsedAt)).toBeGreaterThanOrEqual(before);
    const { body } = await owner.patch(`/api/v1/api-keys/${id}`, { name: "renamed" });
    expect(Date.parse(body.data.lastUsedAt)).toBeGreaterThanOrEqual(before);
  });
});

describe("behavior 7.60, 7.61, 7.62: API keys", () => {
  test("the default role is that of the caller", async () => {
    expect((await create({})).role).toBe("owner");
  });

  test("PATCH changes only the fields that are sent", async () => {
    const { id, key, ...created } = await create({ expiresAt: "2036-01-01T00:00:00Z" });
    const path = `/api/v1/api-keys/${id}`;
    expect((await owner.patch(path, {})).body.data).toEqual({ id, ...created, lastUsedAt: null });
    expect((await owner.patch(path, { name: "new" })).body.data).toMatchObject({
      name: "new",
      role: "owner",
    });
    expect((await owner.patch(path, { role: "viewer" })).body.data).toMatchObject({
      name: "new",
      role: "viewer",
    });
    expect((await owner.patch(path, { expiresAt: null })).body.data).toMatchObject({ expiresAt: null });
    expect((await owner.as(key).post("/api/v1/monitors/pause-all")).status).toBe(403);
  });

  test("a key whose expiresAt is set to the past is rejected immediately", async () => {
    const { id, key } = await create({});
    expect((await owner.as(key).get("/api/v1/status")).status).toBe(200);
    await owner.patch(`/api/v1/api-keys/${id}`, { expiresAt: "2020-01-01T00:00:00Z" });
    expect((await owner.as(key).get("/api/v1/status")).status).toBe(401);
  });

  test("behavior 7.63: create, update and delete need an owner key", async () => {
    const { id } = await create({});
    for (const role of ["admin", "viewer"] as const) {
      const client = owner.as(await server.keyWith(role));
      expect((await client.post("/api/v1/api-keys", { name: "k" })).status).toBe(403);
      expect((await client.patch(`/api/v1/api-keys/${id}`, { name: "k" })).status).toBe(403);
      expect((await client.delete(`/api/v1/api-keys/${id}`)).status).toBe(403);
    }
    expect(await find(id)).toBeDefined();
  });

  test("behavior 7.61: the secret of a key cannot be changed", async () => {
    const { id } = await create({});
    const { status, body } = await owner.patch(`/api/v1/api-keys/${id}`, { key: "stillup_mine" });
    expect({ status, body }).toEqual({ status: 422, body: { error: "key is not a known field" } });
  });

  test("behavior 7.62, 8.10: a deleted key gets 401 immediately", async () => {
    const { id, key } = await create({});
    expect((await owner.as(key).get("/api/v1/status")).status).toBe(200);
    expect(await owner.delete(`/api/v1/api-keys/${id}`)).toMatchObject({
      status: 200,
      body: { data: { id } },
    });
    expect((await owner.as(key).get("/api/v1/status")).status).toBe(401);
    expect((await owner.delete(`/api/v1/api-keys/${id}`)).status).toBe(404);
    expect(await find(id)).toBeUndefined();
  });

  test("a key may delete itself", async () => {
    const { id, key } = await create({});
    expect((await owner.as(key).delete(`/api/v1/api-keys/${id}`)).status).toBe(200);
    expect((await owner.as(key).get("/api/v1/status")).status).toBe(401);
  });

  test.each([
    [{}, "name is required"],
    [{ name: "" }, "name must be 1 to 200 characters"],
    [{ name: "x".repeat(201) }, "name must be 1 to 200 characters"],
    [{ name: 3 }, "name must be 1 to 200 characters without control characters, got 3"],
    [{ name: "k", role: "root" }, "role must be one of viewer, admin, owner"],
    [
      { name: "k", expiresAt: "2036-01-01" },
      "expiresAt must be an ISO 8601 time with an offset, such as 2027-01-31T00:00:00Z or null",
    ],
    [{ name: "k", expiresAt: "2036-01-01T00:00:00" }, "expiresAt must be an ISO 8601 time"],
    [{ name: "k", expiresAt: "2036-13-01T00:00:00Z" }, "expiresAt must be an ISO 8601 time"],
    [{ name: "k", expires: null }, "expires is not a known field"],
  ])("%p is rejected", async (body, error) => {
    const answer = await owner.post("/api/v1/api-keys", body);
    expect(answer.status).toBe(422);
    expect(answer.body.error).toStartWith(error);
  });
});

test("behavior 8.5: a key belongs to one organization", async () => {
  const other = await server.organization();
  const { id } = await create({});
  const keys = (await other.get("/api/v1/api-keys")).body.data;
  expect(keys).toHaveLength(1);
  expect(await other.patch(`/api/v1/api-keys/${id}`, { name: "mine" })).toMatchObject({ status: 404 });
  expect(await other.delete(`/api/v1/api-keys/${id}`)).toMatchObject({ status: 404 });
});

test("behavior 8.4: only the SHA-256 of a key is stored", async () => {
  const { id, key } = await create({});
  const hash = new Bun.CryptoHasher("sha256").update(key).digest();
  const rows = await storedRows(server.db);
  expect(rows.join("\n")).not.toContain(key);
  expect(rows.join("\n")).not.toContain(Buffer.from(key).toString("hex"));
  expect(rows.find((row) => row.includes(id))).toContain(hash.toString("hex"));
});

test("behavior 8.9: lastUsedAt is updated on each authenticated request, also by one that is rejected later", async () => {
  const { id, key } = await create({ role: "viewer" });
  await owner.as(key).post("/api/v1/monitors", {});
  expect((await find(id)).lastUsedAt).toEqual(TIME);
});

test("behavior 8.8: owner is the highest role, so an owner may create keys of any role", async () => {
  for (const role of ["viewer", "admin", "owner"]) expect((await create({ role })).role).toBe(role);
});
