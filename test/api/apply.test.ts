import { describe, expect, test } from "bun:test";
import { ApiServer } from "../support/product/api-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());
const members = await server.organization("applied", "enterprise");

const shop = { type: "HTTP", config: { url: "https://shop.example.com/", interval: 60 } };
const document = {
  channels: { ops: { type: "WEBHOOK", config: { url: "https://hooks.example.com/" } } },
  monitors: { shop: { ...shop, alertChannelIds: ["ops"] } },
};
const apply = (body: unknown, query = "", by = members.admin) => by.post(`/api/v1/apply${query}`, body);

describe("POST /api/v1/apply", () => {
  test("behavior 16.30, 16.38: answers with the changes, which the audit log has too", async () => {
    const trial = await apply(document, "?dryRun=true");
    const { status, body } = await apply(document);
    expect([status, body]).toEqual([200, trial.body]);
    expect(body.data.changes).toEqual([
      { action: "create", kind: "channel", ref: "ops", fields: ["type", "config.url"] },
      {
        action: "create",
        kind: "monitor",
        ref: "shop",
        fields: ["type", "config.url", "config.interval", "alertChannelIds"],
      },
    ]);
    const log = (await members.owner.get("/api/v1/audit")).body.data;
    expect(log).toMatchObject([
      { action: "monitor.created", actor: { type: "key", name: "admin" }, resource: { name: "shop" } },
      { action: "channel.created", actor: { type: "key", name: "admin" }, resource: { name: "ops" } },
    ]);
    expect((await apply(document)).body).toEqual({ data: { changes: [] } });
    expect((await members.owner.get("/api/v1/audit")).body.data).toEqual(log);
  });

  test("behavior 16.31: answers a document with faults with all of them", async () => {
    const wrong = {
      monitors: { a: { ...shop, config: { url: "shop", interval: 60 } }, b: { ...shop, dependsOn: ["x"] } },
    };
    const url = {
      path: "monitors.a.config.url",
      message: expect.stringContaining("must be a full URL"),
      got: "shop",
    };
    const ref = { path: "monitors.b.dependsOn.0", message: "is not the ref of a monitor", got: "x" };
    const { status, body } = await apply(wrong);
    expect([status, body]).toEqual([422, { error: expect.any(String), faults: [url, ref] }]);
    expect(body.error).toBe(
      body.faults.map((fault: typeof url) => `${fault.path}: ${fault.message}`).join("; "),
    );
  });

  test("behavior 16.34: deletes with prune only", async () => {
    expect((await apply({}, "?prune=false")).body.data.changes).toEqual([]);
    const { changes } = (await apply({}, "?prune=true&dryRun=true")).body.data;
    expect(changes).toMatchObject([
      { action: "delete", ref: "shop" },
      { action: "delete", ref: "ops" },
    ]);
    expect((await apply({}, "?prune=all")).body.data.changes).toEqual(changes);
    expect((await apply({}, "?prune=yes")).status).toBe(422);
  });

  test("behavior 16.36: answers with 402 or the limit of the plan", async () => {
    const unpaid = await server.organization("unpaid", "enterprise", "inactive");
    const { status, body } = await apply(document, "", unpaid.admin);
    expect([status, body]).toEqual([
      402,
      { error: "channels.ops: No active subscription", code: "no_subscription" },
    ]);
    const small = await server.organization("small", "starter");
    const { ops } = document.channels;
    expect((await apply({ channels: { ops, more: ops } }, "", small.admin)).body).toEqual({
      error: "channels.more: Alert channel limit reached",
      upgrade: true,
      faults: [{ path: "channels.more", message: "Alert channel limit reached" }],
    });
  });

  test("behavior 16.39: needs the role admin, and takes up to 16 MiB", async () => {
    expect((await apply(document, "", members.viewer)).status).toBe(403);
    expect((await apply(document, "", members.admin.as(undefined))).status).toBe(401);
    const days = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        new Date(at * 86_400_000).toISOString().slice(0, 10),
        { up: 1440, down: 0 },
      ]),
    );
    const history = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`m${at}`, days]));
    expect(JSON.stringify({ history }).length).toBeGreaterThan(1024 * 1024);
    expect((await apply({ history })).status).toBe(200);
    expect((await apply(" ".repeat(16 * 1024 * 1024 + 1))).status).toBe(413);
    for (const body of ["[]", "{", "null"]) expect((await apply(body)).status).toBe(422);
  });
});

describe("GET /api/v1/export", () => {
  test("behavior 16.50, 16.52: answers an admin with the document, and stores its refs", async () => {
    const { admin, viewer } = await server.organization("exported", "enterprise");
    const monitor = { name: "Shop front", ...shop, config: { ...shop.config, headers: { Key: "s3cret" } } };
    const { id } = (await admin.post("/api/v1/monitors", monitor)).body.data;
    expect((await viewer.get("/api/v1/export")).status).toBe(403);
    expect((await viewer.post("/api/v1/export/refs")).status).toBe(403);
    const entry = {
      name: "Shop front",
      ...shop,
      config: { ...shop.config, headers: { Key: "${HTTP_SHOP_FRONT_KEY}" } },
    };
    expect((await admin.get("/api/v1/export")).body).toEqual({
      data: { document: { monitors: { "shop-front": entry } }, secrets: ["HTTP_SHOP_FRONT_KEY"] },
    });
    const refs = [{ kind: "monitor", id, ref: "shop-front" }];
    expect((await admin.post("/api/v1/export/refs")).body).toEqual({ data: { refs } });
    expect((await admin.get(`/api/v1/monitors/${id}`)).body.data.ref).toBe("shop-front");
  });
});
