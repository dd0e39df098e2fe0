import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { version } from "../../package.json";
import { backUpStore } from "../../src/store/open-store.ts";
import { TestServer } from "../support/product/server.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { engineOfTests } from "../support/store/engines.ts";
import { tempDir } from "../support/temp-dir.ts";

const PATH = "/api/v1/server";
const isEmbedded = !engineOfTests().isShared;

let mails: MailServer;
let server: TestServer;
let mailing: TestServer;

beforeAll(async () => {
  mails = await MailServer.start({ startTls: false });
  server = await TestServer.start();
  const { smtp } = mails.settings({ host: "localhost" });
  mailing = await TestServer.start({ baseUrl: "https://stillup.example.com", ...(smtp && { smtp }) });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mailing[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
});

describe("behavior 16.330: the server", () => {
  test("says which version it is, where its links lead and that it can't send e-mail", async () => {
    const { status, body } = await server.client.get(PATH);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      version,
      baseUrl: new URL(server.client.url).origin,
      mail: { configured: false, from: null },
      network: null,
    });
  });

  test("says who sends its e-mails, but not through which mail server", async () => {
    const { body } = await mailing.client.get(PATH);
    expect(body.data).toMatchObject({
      baseUrl: "https://stillup.example.com",
      mail: { configured: true, from: "stillup@example.com" },
    });
    expect(JSON.stringify(body)).not.toMatch(/pass|smtp:/);
  });

  test("needs a key", async () => {
    expect((await server.client.as(undefined).get(PATH)).status).toBe(401);
  });
});

describe("behavior 16.331: its data", () => {
  test("is for admins: the engine, its size and the free space of the disk", async () => {
    const admin = server.client.as(await server.keyWith("admin"));
    const { database, owner } = (await admin.get(PATH)).body.data;
    expect(database).toEqual({
      engine: isEmbedded ? "sqlite" : "postgresql",
      bytes: expect.any(Number),
      freeBytes: isEmbedded ? expect.any(Number) : null,
      lastBackupAt: null,
    });
    expect(database.bytes).toBeGreaterThan(0);
    expect(owner).toBeNull();
  });

  test("has its directory, its nodes and how to get a new key for owners only", async () => {
    const { owner } = (await server.client.get(PATH)).body.data;
    const dataDir = isEmbedded ? resolve(server.dataDir) : null;
    expect(owner).toMatchObject({ dataDir, nodes: [{ version }] });
    expect(owner.keyCommand).toBe(
      `stillup keys create --name me ${isEmbedded ? `--data-dir ${dataDir}` : "--database-url URL"}`,
    );
    const viewer = server.client.as(await server.keyWith("viewer"));
    expect((await viewer.get(PATH)).body.data).toMatchObject({ database: null, owner: null });
  });

  test.if(isEmbedded)("says when the last backup was made", async () => {
    using dir = tempDir();
    await backUpStore(server, `${dir.path}/copy.db`, { now: Date.UTC(2026, 10, 21, 3) });
    const { database } = (await server.client.get(PATH)).body.data;
    expect(database.lastBackupAt).toBe("2026-11-21T03:00:00.000Z");
  });
});

test("behavior 16.332: plans matter as soon as there is a second organization", async () => {
  expect((await mailing.client.get(PATH)).body.data.usesPlans).toBe(false);
  const other = await mailing.organization();
  const { data } = (await other.get(PATH)).body;
  expect(data.usesPlans).toBe(true);
  const { id } = (await other.get("/api/v1/organization")).body.data;
  expect(data.owner.keyCommand).toEndWith(` --org ${id}`);
});

describe("behavior 16.333: a test e-mail", () => {
  const send = (from: TestServer, to: unknown) => from.client.post(`${PATH}/mail-test`, { to });

  test("is sent through the mail server of the settings", async () => {
    const { body } = await send(mailing, "me@example.com");
    expect(body.data).toEqual({ outcome: "delivered", error: null, advice: null });
    const [mail] = mails.received;
    expect(mail).toMatchObject({ from: "stillup@example.com", to: ["me@example.com"] });
    expect(mail?.source).toContain("Subject: Test e-mail of stillup");
    expect(mail?.source).toContain("https://stillup.example.com");
  });

  test("that is refused says why, and what to do", async () => {
    mails.refusals = ["550 5.1.1 no such user"];
    expect((await send(mailing, "nobody@example.com")).body.data).toEqual({
      outcome: "failed",
      error: "the mail server answered 550",
      advice: expect.stringContaining("rejected the sender or the recipient"),
    });
    expect((await send(server, "me@example.com")).body.data).toEqual({
      outcome: "failed",
      error: "this server can't send e-mail: --smtp-url is not set",
      advice: "Start the server with --smtp-url and --smtp-from.",
    });
  });

  test("needs an address and an admin", async () => {
    expect(await send(mailing, "me")).toMatchObject({ status: 422 });
    const viewer = mailing.client.as(await mailing.keyWith("viewer"));
    expect((await viewer.post(`${PATH}/mail-test`, { to: "me@example.com" })).status).toBe(403);
  });
});
