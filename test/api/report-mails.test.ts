import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { createLogger } from "../../src/log.ts";
import { TestServer } from "../support/product/server.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { MailServer } from "../support/servers/mail-server.ts";

const PATH = "/api/v1/reports/mails";
const WEEK = { title: "Our week", kind: "week", selector: { all: true }, to: ["ops@example.com"] };

let mails: MailServer;
let server: TestServer;
let owner: Client;

beforeAll(async () => {
  mails = await MailServer.start({ startTls: false });
  const { smtp } = mails.settings({ host: "localhost" });
  if (!smtp) throw new Error("the mail server has no settings");
  server = await TestServer.start(
    { baseUrl: "https://up.example.com", smtp },
    createLogger({ level: "silent" }),
  );
  owner = server.client;
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
});

/** The mail of a report that was sent: another mail of this server may come at any moment. */
async function mailAbout(title: string) {
  const received = await Promise.all(mails.received.map(({ source }) => PostalMime.parse(source)));
  const found = received.filter(({ subject }) => subject?.startsWith(`${title}: `));
  expect(found).toHaveLength(1);
  return found[0] as (typeof received)[number];
}

const create = async (body: object) => owner.send("POST", PATH, body);

async function created(body: object = {}) {
  const { status, body: answer } = await create({ ...WEEK, ...body });
  expect(status).toBe(201);
  return (answer as { data: { id: string; nextAt: string } & Record<string, unknown> }).data;
}

const refused = (body: object, error: string) =>
  create({ ...WEEK, to: undefined, ...body }).then((answer) =>
    expect(answer).toMatchObject({ status: 422, body: { error } }),
  );

describe("behavior 23.70: a report by mail", () => {
  test("is created, listed, changed and deleted, with its defaults", async () => {
    const report = await created();
    expect(report).toMatchObject({
      ...WEEK,
      ...{ channelIds: null, timezone: "UTC", at: "08:00", language: "en", ref: null },
    });
    expect(new Date(report.nextAt).getUTCDay()).toBe(1);
    expect(report.nextAt).toEndWith("T08:00:00.000Z");
    expect(await owner.send("GET", `${PATH}/${report.id}`)).toMatchObject({
      status: 200,
      body: { data: report },
    });
    const changed = await owner.send("PATCH", `${PATH}/${report.id}`, {
      at: "06:15",
      timezone: "Asia/Kolkata",
    });
    expect(changed).toMatchObject({ status: 200, body: { data: { at: "06:15", timezone: "Asia/Kolkata" } } });
    const { body } = await owner.send("GET", PATH);
    expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toContain(report.id);
    expect(await owner.send("DELETE", `${PATH}/${report.id}`)).toMatchObject({
      status: 200,
      body: { data: { id: report.id } },
    });
    expect(await owner.send("GET", `${PATH}/${report.id}`)).toMatchObject({ status: 404 });
  });

  test("has addresses or EMAIL channels, never both", async () => {
    const channel = async (type: string, config: object) => {
      const { body } = await owner.send("POST", "/api/v1/alerts", { name: type, type, config });
      return (body as { data: { id: string } }).data.id;
    };
    const mail = await channel("EMAIL", { to: "team@example.com" });
    const hook = await channel("WEBHOOK", { url: "http://127.0.0.1:9/" });
    await refused({}, "to or channelIds is required");
    await refused(
      { to: ["a@example.com"], channelIds: [mail] },
      "to and channelIds must not be given together",
    );
    await refused({ channelIds: ["none"] }, "channelIds.0 is not an alert channel of this organization");
    const invited = await owner.post("/api/v1/people", { email: "on-call@example.com", role: "viewer" });
    const layer = { personIds: [invited.body.data.id], every: "week", startsAt: "2026-03-02T08:00:00Z" };
    const schedule = await owner.post("/api/v1/schedules", { name: "Operations", layers: [layer] });
    await refused(
      { channelIds: [schedule.body.data.id] },
      "channelIds.0 is not an alert channel of this organization",
    );
    await refused({ channelIds: [mail, hook] }, "channelIds.1 must be an EMAIL channel, got WEBHOOK");
    await refused(
      { to: ["a@example.com"], at: "24:00" },
      "at must be a time of day from 00:00 to 23:59, such as 08:00",
    );
    await refused(
      { to: ["a@example.com"], selector: { monitorIds: ["x"] } },
      "selector.monitorIds.0 is not a monitor of this organization",
    );
    const report = await created({ to: undefined, channelIds: [mail] });
    expect(report).toMatchObject({ to: null, channelIds: [mail] });
    const { body } = await owner.send("PATCH", `${PATH}/${report.id}`, { to: ["b@example.com"] });
    expect(body).toMatchObject({ data: { to: ["b@example.com"], channelIds: null } });
  });

  test("is without monitors and channels that were deleted, and changes all the same", async () => {
    const channels = await Promise.all(
      ["one", "other"].map(async (name) => {
        const config = { to: `${name}@example.com` };
        const { body } = await owner.post("/api/v1/alerts", { name, type: "EMAIL", config });
        return body.data.id as string;
      }),
    );
    const monitors = [await createMonitor(owner, "SCHEDULED"), await createMonitor(owner, "SCHEDULED")];
    const monitorIds = monitors.map(({ id }) => id);
    const { id } = await created({ to: undefined, channelIds: channels, selector: { monitorIds } });
    await owner.delete(`/api/v1/alerts/${channels[0]}`);
    await owner.delete(`/api/v1/monitors/${monitorIds[0]}`);
    const left = { channelIds: channels.slice(1), selector: { monitorIds: monitorIds.slice(1) } };
    expect((await owner.get(`${PATH}/${id}`)).body.data).toMatchObject(left);
    expect((await owner.get(PATH)).body.data).toContainEqual(expect.objectContaining({ id, ...left }));
    const changed = await owner.patch(`${PATH}/${id}`, { title: "Another" });
    expect(changed).toMatchObject({ status: 200, body: { data: { title: "Another", ...left } } });
  });

  test("is created or replaced by its ref", async () => {
    const put = (body: object) => owner.send("PUT", `${PATH}/by-ref/weekly`, body);
    expect(await put({ ...WEEK, at: "09:00" })).toMatchObject({
      status: 201,
      body: { data: { ref: "weekly", at: "09:00" } },
    });
    expect(await put(WEEK)).toMatchObject({ status: 200, body: { data: { ref: "weekly", at: "08:00" } } });
    expect(await create({ ...WEEK, ref: "weekly" })).toMatchObject({ status: 422 });
  });

  test("is read by all roles, and changed by administrators", async () => {
    const { body } = await owner.send("POST", "/api/v1/api-keys", { name: "viewer", role: "viewer" });
    const viewer = owner.as((body as { data: { key: string } }).data.key);
    const { id } = await created();
    expect(await viewer.send("GET", PATH)).toMatchObject({ status: 200 });
    expect(await viewer.send("POST", PATH, WEEK)).toMatchObject({ status: 403 });
    expect(await viewer.send("POST", `${PATH}/${id}/send`)).toMatchObject({ status: 403 });
    expect(await viewer.send("PATCH", `${PATH}/${id}`, { at: "09:00" })).toMatchObject({ status: 403 });
    expect(await viewer.send("DELETE", `${PATH}/${id}`)).toMatchObject({ status: 403 });
    expect(await viewer.send("PUT", `${PATH}/by-ref/of-a-viewer`, WEEK)).toMatchObject({ status: 403 });
  });

  test("is of its organization alone, and names nothing of another one", async () => {
    const { id } = await created();
    const stranger = await server.organization();
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/send"],
    ] as const)
      expect(
        await stranger.send(method, `${PATH}/${id}${path}`, method === "PATCH" ? { at: "09:00" } : undefined),
      ).toMatchObject({ status: 404 });
    const mail = { name: "theirs", type: "EMAIL", config: { to: "theirs@example.com" } };
    const channel = await stranger.post("/api/v1/alerts", mail);
    const monitor = await createMonitor(stranger, "SCHEDULED");
    await refused(
      { channelIds: [channel.body.data.id] },
      "channelIds.0 is not an alert channel of this organization",
    );
    await refused(
      { to: ["a@example.com"], selector: { monitorIds: [monitor.id] } },
      "selector.monitorIds.0 is not a monitor of this organization",
    );
  });

  test("goes to single addresses, to 20 at most, in a language that there is", async () => {
    for (const address of [
      "a@example.com\r\nBcc: b@example.com",
      "a@example.com, b@example.com",
      "Ada <a@example.com>",
      "a@example.com>\nb",
      "",
    ])
      expect(await create({ ...WEEK, to: [address] })).toMatchObject({ status: 422 });
    const addresses = Array.from({ length: 21 }, (_, at) => `a${at}@example.com`);
    expect(await create({ ...WEEK, to: addresses })).toMatchObject({ status: 422 });
    expect(await create({ ...WEEK, to: addresses.slice(1) })).toMatchObject({ status: 201 });
    expect(await create({ ...WEEK, to: [] })).toMatchObject({ status: 422 });
    expect(await create({ ...WEEK, language: "tlh" })).toMatchObject({ status: 422 });
  });

  test("is in the audit log", async () => {
    const { id } = await created({ title: "Audited" });
    await owner.send("PATCH", `${PATH}/${id}`, { language: "de" });
    await owner.send("DELETE", `${PATH}/${id}`);
    const { body } = await owner.send("GET", "/api/v1/audit?limit=3");
    const entries = (body as { data: { action: string; changed: string[] }[] }).data;
    expect(entries.map(({ action }) => action)).toEqual([
      "report.deleted",
      "report.updated",
      "report.created",
    ]);
    expect(entries[1]?.changed).toEqual(["language"]);
  });
});

describe("behavior 23.74: a report that is sent now", () => {
  test("is about the last whole period, and leaves the regular one", async () => {
    const { id, nextAt } = await created({ title: "Sent now", language: "de", kind: "month" });
    const sent = await owner.send("POST", `${PATH}/${id}/send`);
    const mail = await mailAbout("Sent now");
    const at = new Date(mail.date ?? "");
    const from = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1)).toISOString().slice(0, 10);
    expect(sent).toMatchObject({
      status: 200,
      body: {
        data: {
          status: "delivered",
          from,
          mails: [{ to: "ops@example.com", status: "delivered", error: null }],
        },
      },
    });
    expect(mail.to).toEqual([{ name: "", address: "ops@example.com" }]);
    expect(mail.text).toContain("Verfügbarkeit");
    expect(mail.text).toContain(`https://up.example.com/reports/mails/${id}/${from}`);
    expect(mail.html).toContain('<html lang="de">');
    expect(mail.html).not.toContain("<script");
    expect(await owner.send("GET", `${PATH}/${id}`)).toMatchObject({ body: { data: { nextAt } } });
  });
});

describe("behavior 23.77: the page of a report", () => {
  const sessionCookie = async ({ key } = owner) => {
    const headers = { "sec-fetch-site": "same-origin" };
    const signedIn = await owner.as(undefined).send("POST", "/api/v1/session", { key }, headers);
    return signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const page = async (path: string, cookie = "") => {
    const headers = { cookie, accept: "text/html" };
    const response = await fetch(new URL(`/reports/mails/${path}`, owner.url), { headers });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };

  test("is what the mail has, for people who are signed in", async () => {
    const { id } = await created({ title: "Shown", kind: "day" });
    const { body } = await owner.send("POST", `${PATH}/${id}/send`);
    const { from } = (body as { data: { from: string } }).data;
    const mail = await mailAbout("Shown");
    const shown = await page(`${id}/${from}`, await sessionCookie());
    expect(shown.status).toBe(200);
    expect(shown.html.trim()).toBe((mail.html ?? "").replaceAll("\r\n", "\n").trim());
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    const stranger = await page(`${id}/${from}`);
    expect(stranger.html).not.toContain("Shown");
    expect(stranger.html).toContain("/assets/");
  });

  test("is for every role, and for no other organization", async () => {
    const { id } = await created({ kind: "week" });
    const viewer = owner.as(await server.keyWith("viewer"));
    expect((await page(`${id}/2026-11-16`, await sessionCookie(viewer))).status).toBe(200);
    const stranger = await sessionCookie(await server.organization());
    expect((await page(`${id}/2026-11-16`, stranger)).status).toBe(404);
  });

  test("exists for whole periods that are over", async () => {
    const { id } = await created({ kind: "week" });
    const cookie = await sessionCookie();
    expect((await page(`${id}/2026-11-16`, cookie)).status).toBe(200);
    const missing = ["2026-11-17", "2126-11-18", "now", "2026-02-31"].map((day) => `${id}/${day}`);
    for (const path of [...missing, "none/2026-11-16"]) {
      const { status, html } = await page(path, cookie);
      expect(status).toBe(404);
      // The script of the page would ask for the report again, without an end.
      expect(html).not.toContain("<script");
      expect(html).toContain("Not found");
    }
  });
});

test("behavior 14.101, 23.70: another kind of recipients can be undone", async () => {
  const { id } = await created({ title: "Undone" });
  await owner.send("PATCH", `${PATH}/${id}`, { to: ["other@example.com"], at: "10:00" });
  const { body } = await owner.send("GET", "/api/v1/audit?limit=1");
  const [entry] = (body as { data: { id: string }[] }).data;
  expect(await owner.send("POST", `/api/v1/audit/${entry?.id}/undo`)).toMatchObject({ status: 200 });
  expect(await owner.send("GET", `${PATH}/${id}`)).toMatchObject({
    body: { data: { to: WEEK.to, at: "08:00" } },
  });
});

test("behavior 23.78: a report is part of a configuration document: applied, exported and pruned", async () => {
  await using other = await TestServer.start({});
  const { client } = other;
  const entry = (report: object) => ({
    channels: { ops: { type: "EMAIL", config: { to: "ops@example.com" } } },
    monitors: { shop: { type: "TCP", config: { host: "a", port: 1, interval: 60 } } },
    reports: { weekly: { kind: "week", selector: { monitorIds: ["shop"] }, channelIds: ["ops"], ...report } },
  });
  const apply = async (document: object, query = "") => {
    const { status, body } = await client.send("POST", `/api/v1/apply${query}`, document);
    return {
      status,
      body,
      reports: body.data?.changes.filter(({ kind }: { kind: string }) => kind === "report"),
    };
  };
  const change = { kind: "report", ref: "weekly" };
  expect((await apply(entry({ at: "07:00" }), "?dryRun=true")).reports).toEqual([
    { ...change, action: "create", fields: ["kind", "selector", "channelIds", "at"] },
  ]);
  expect((await client.get(PATH)).body.data).toEqual([]);
  expect((await apply(entry({ at: "07:00" }))).status).toBe(200);
  expect((await client.get(PATH)).body.data).toMatchObject([{ ref: "weekly", title: "weekly", at: "07:00" }]);
  expect((await apply(entry({ at: "07:00" }))).reports).toEqual([]);
  expect((await apply(entry({ language: "fr" }))).reports).toEqual([
    { ...change, action: "update", fields: ["at", "language"] },
  ]);
  const { body } = await client.get("/api/v1/export");
  expect(body.data?.document?.reports ?? body.reports).toEqual({
    weekly: { kind: "week", selector: { monitorIds: ["shop"] }, channelIds: ["ops"], language: "fr" },
  });
  const both = await apply(entry({ to: ["a@example.com"] }));
  expect(both.status).toBe(422);
  expect(JSON.stringify(both.body)).toContain("to and channelIds must not be given together");
  expect(JSON.stringify((await apply(entry({ channelIds: ["none"] }))).body)).toContain(
    "is not the ref of an alert channel",
  );
  const hook = { type: "WEBHOOK", config: { url: "https://example.com/" } };
  for (const query of ["?dryRun=true", ""])
    expect(
      await apply(
        {
          ...entry({}),
          channels: { ops: { type: "EMAIL", config: { to: "ops@example.com" } }, hook },
          reports: { weekly: { kind: "week", selector: { all: true }, channelIds: ["ops", "hook"] } },
        },
        query,
      ),
    ).toMatchObject({
      status: 422,
      body: {
        faults: [{ path: "reports.weekly.channelIds.1", message: "must be an EMAIL channel, got WEBHOOK" }],
      },
    });
  const { reports: _, ...without } = entry({});
  expect((await apply(without, "?prune=true")).reports).toEqual([
    { ...change, action: "delete", fields: [] },
  ]);
  expect((await client.get(PATH)).body.data).toEqual([]);
});
