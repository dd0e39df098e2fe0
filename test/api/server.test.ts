import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { TestServer } from "../support/product/server.ts";

const PATH = "/api/v1/server";
const SMTP = { url: new URL("smtp://postbox:hush-hush@mail.example.com:587"), from: "stillup@example.com" };

let server: TestServer;
let mailing: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
  mailing = await TestServer.start({ baseUrl: "https://stillup.example.com", smtp: SMTP });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mailing[Symbol.asyncDispose]();
});

describe("behavior 16.330: the server", () => {
  test("says which version it is, where its links lead and that it can't send e-mail", async () => {
    const { status, body } = await server.client.get(PATH);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      version,
      baseUrl: new URL(server.client.url).origin,
      mail: { configured: false, from: null },
    });
  });

  test("says who sends its e-mails, but not through which mail server", async () => {
    const { body } = await mailing.client.get(PATH);
    expect(body.data).toMatchObject({
      baseUrl: "https://stillup.example.com",
      mail: { configured: true, from: "stillup@example.com" },
    });
    expect(JSON.stringify(body)).not.toMatch(/hush-hush|postbox|mail\.example\.com/);
  });

  test("needs a key, of any role", async () => {
    const viewer = server.client.as(await server.keyWith("viewer"));
    expect((await viewer.get(PATH)).status).toBe(200);
    expect((await viewer.as(undefined).get(PATH)).status).toBe(401);
  });
});
