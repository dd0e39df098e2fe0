import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { becomes } from "../support/requests/becomes.ts";
import { checkIn, createChannel, createMonitor, newMonitor } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const MUST = "must be 1 to 100 characters of a-z, 0-9 and . _ -, and begin with a letter or a digit";

const bodies = {
  monitors: newMonitor("TCP"),
  alerts: { name: "Ops", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } },
  maintenances: { title: "Rack", selector: { all: true }, cron: "0 3 29 2 *", duration: 600 },
  pages: { slug: "by-ref", title: "Shop" },
};
const kinds = Object.entries(bodies);

const put = (kind: string, ref: string, body: object, client = owner) =>
  client.put(`/api/v1/${kind}/by-ref/${ref}`, body);

const refused = (status: number, error: string) => ({ status, body: { error } });

describe.each(kinds)("a ref of %s", (kind, body) => {
  const path = `/api/v1/${kind}`;

  test("behavior 16.1, 16.2: is null by default, is set by POST and PATCH, and is in every response", async () => {
    const values = { ...body, ...("slug" in body && { slug: "plain" }) };
    const { data } = (await owner.post(path, values)).body;
    expect(data.ref).toBeNull();
    const updated = await owner.patch(`${path}/${data.id}`, { ref: `${kind}.a_b-0` });
    expect([updated.status, updated.body.data.ref]).toEqual([200, `${kind}.a_b-0`]);
    expect((await owner.get(`${path}/${data.id}`)).body.data.ref).toBe(`${kind}.a_b-0`);
    const listed: { id: string }[] = (await owner.get(path)).body.data;
    expect(listed.find(({ id }) => id === data.id)).toMatchObject({ ref: `${kind}.a_b-0` });
    const taken = "ref is taken: it must be unique in the organization for its kind";
    expect(await owner.post(path, { ...body, ref: `${kind}.a_b-0` })).toMatchObject(refused(422, taken));
  });

  test.each([
    ["Shop", `ref ${MUST}`],
    ["-shop", `ref ${MUST}`],
    ["a".repeat(101), `ref ${MUST}`],
    [null, `ref ${MUST}, got null`],
  ])("behavior 16.1, 16.2: %p is refused", async (ref, error) => {
    expect(await owner.post(path, { ...body, ref })).toMatchObject(refused(422, error));
    if (ref !== null) expect(await put(kind, ref, body)).toMatchObject(refused(422, error));
  });

  test("behavior 16.4: PUT creates it with 201, and replaces it with 200 under the same ID", async () => {
    const created = await put(kind, "shop", body);
    expect([created.status, created.body.data]).toMatchObject([201, { ...body, ref: "shop" }]);
    const again = await put(kind, "shop", { ...body, ref: "shop" });
    expect([again.status, again.body.data.id]).toEqual([200, created.body.data.id]);
    expect(await put(kind, "shop", { ...body, ref: "other" })).toMatchObject(
      refused(422, "ref must be left out or be that of the path, shop"),
    );
  });

  test("behavior 16.9: only its changes are in the audit log", async () => {
    const own = await server.organization();
    const values = { ...body, ...("slug" in body && { slug: `log-${kind}` }) };
    for (let count = 0; count < 2; count++) await put(kind, "shop", values, own);
    const { id } = (await put(kind, "shop", values, own)).body.data;
    await own.patch(`${path}/${id}`, { ref: "front" });
    const { data } = (await own.get("/api/v1/audit")).body;
    const changes = data.map(({ action, changed }: Record<string, string>) => [
      action?.split(".")[1],
      changed,
    ]);
    expect(changes).toEqual([
      ["updated", ["ref"]],
      ["created", [...Object.keys(values), "ref"]],
    ]);
  });

  test("behavior 16.4: PUT has the checks of create, in their order", async () => {
    expect(await put(kind, "x", {}, owner.as(undefined))).toMatchObject({ status: 401 });
    const viewer = await server.organization({ role: "viewer", subscription: "inactive" });
    expect(await put(kind, "x", {}, viewer)).toMatchObject({ status: 403 });
    const unpaid = await server.organization({ subscription: "inactive" });
    const isLimited = kind === "monitors" || kind === "alerts";
    expect(await put(kind, "x", {}, unpaid)).toMatchObject({ status: isLimited ? 402 : 422 });
    expect(await put(kind, "x", { ...body, unknown: 1 })).toMatchObject(
      refused(422, "unknown is not a known field"),
    );
  });
});

describe("behavior 16.4: the plan", () => {
  test("limits what PUT creates, but not what it replaces", async () => {
    const starter = await server.organization({ plan: "starter" });
    const ops = bodies.alerts;
    expect((await put("alerts", "ops", ops, starter)).status).toBe(201);
    expect(await put("alerts", "other", ops, starter)).toMatchObject({
      status: 422,
      body: { error: "Alert channel limit reached", upgrade: true },
    });
    expect((await put("alerts", "ops", ops, starter)).status).toBe(200);
    const config = { host: "a", port: 1, interval: 60 };
    expect(await put("monitors", "m", newMonitor("TCP", { config }), starter)).toMatchObject({
      status: 422,
      body: { code: "interval_too_short" },
    });
  });
});

describe("behavior 16.5: a replaced monitor", () => {
  test("has the default channels of the organization, and no field of before", async () => {
    const own = await server.organization();
    const [a, b] = [await createChannel(own), await createChannel(own)];
    await own.patch("/api/v1/organization", { defaultAlertChannelIds: [a.id] });
    const parent = await createMonitor(own, "TCP");
    const lists = {
      tags: ["x"],
      dependsOn: [parent.id],
      alertBindings: [{ alertChannelId: b.id, after: 60 }],
    };
    const numbers = { confirmations: 3, recoveries: 3, enabled: false };
    const { id } = (await put("monitors", "m", newMonitor("TCP", { ...lists, ...numbers }), own)).body.data;
    const { data } = (await put("monitors", "m", newMonitor("TCP"), own)).body;
    expect(data).toMatchObject({
      ...newMonitor("TCP"),
      ...{ id, enabled: true, confirmations: 0, recoveries: 0, tags: [], dependsOn: [] },
      ...{ locations: ["here"], downWhen: "majority" },
      alertBindings: [{ monitorId: id, alertChannelId: a.id }],
    });
  });

  test("keeps its results and its check-in URL", async () => {
    const created = (await put("monitors", "job", newMonitor("SCHEDULED"))).body.data;
    expect(created.checkinUrl).toEndWith(`/api/v1/monitors/${created.id}/checkin`);
    await checkIn(owner, created.id, "ok", "fail");
    const replaced = await put("monitors", "job", newMonitor("SCHEDULED", { name: "Job" }));
    expect(replaced.body.data).toMatchObject({ id: created.id, name: "Job", status: "failed" });
    const { data } = (await owner.get(`/api/v1/monitors/${created.id}/results`)).body;
    expect(data).toHaveLength(2);
  });

  test("keeps a secret that is sent as •••, and needs the value of one that is not stored", async () => {
    const config = { url: "http://127.0.0.1:1/", interval: 86_400, headers: { "X-Key": "s3cret" } };
    await put("monitors", "masked", newMonitor("HTTP", { config }));
    const masked = newMonitor("HTTP", { config: { ...config, headers: { "x-key": "•••" } } });
    expect((await put("monitors", "masked", masked)).status).toBe(200);
    expect(await put("monitors", "unmasked", masked)).toMatchObject(
      refused(422, "config.headers.x-key must be sent with its value: none is stored"),
    );
  });

  test("behavior 16.6: keeps its type", async () => {
    await put("monitors", "typed", newMonitor("TCP"));
    expect(await put("monitors", "typed", newMonitor("DNS"))).toMatchObject(
      refused(422, "type must be TCP: the type of what exists cannot change"),
    );
  });
});

test("behavior 16.3: a monitor that is created paused has no check until it is resumed", async () => {
  const paused = await createMonitor(owner, "TCP", { enabled: false });
  expect(paused).toMatchObject({ enabled: false, status: "unknown" });
  const { id } = (await put("monitors", "paused", newMonitor("TCP", { enabled: false }))).body.data;
  // A monitor that is created later is checked, so that the others would have been checked too.
  const later = await createMonitor(owner, "TCP");
  await becomes(owner, later.id, "down");
  for (const one of [paused.id, id]) {
    expect((await owner.get(`/api/v1/monitors/${one}/results`)).body.data).toEqual([]);
  }
});
