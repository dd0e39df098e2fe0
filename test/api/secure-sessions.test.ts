import { describe, expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const OWN_PAGE = { "sec-fetch-site": "same-origin" };

const server = await untilEndOfFile(TestServer.start({ baseUrl: "https://up.example.com" }));
const anyone = server.client.as(undefined);

const signIn = (body: object, headers: Record<string, string> = OWN_PAGE) =>
  anyone.send("POST", "/api/v1/session", body, headers);

describe("behavior 8.11, 8.14: with a base URL of HTTPS", () => {
  test("a session counts only in the cookie that plain HTTP and other hosts can't set", async () => {
    const { headers } = await signIn({ key: server.client.key });
    const [, token = ""] = /^__Host-stillup_session=([^;]+)/.exec(headers.get("set-cookie") ?? "") ?? [];
    const statusWith = async (name: string) =>
      (await anyone.send("GET", "/api/v1/session", undefined, { cookie: `${name}=${token}` })).status;
    expect(await statusWith("__Host-stillup_session")).toBe(200);
    expect(await statusWith("stillup_session")).toBe(401);
  });

  test("a page of plain HTTP is a foreign one, also of the same host", async () => {
    const { host } = new URL(server.client.url);
    expect((await signIn({ key: server.client.key }, { origin: `http://${host}` })).status).toBe(403);
    expect((await signIn({ key: server.client.key }, { origin: "http://up.example.com" })).status).toBe(403);
    expect((await signIn({ key: server.client.key }, { origin: "https://up.example.com" })).status).toBe(200);
  });
});

test("behavior 19.10: the longest password that is accepted signs in", async () => {
  const password = "\u{1F600}\u{1F601}\u{1F602}\u{1F603}".repeat(256);
  const { body } = await server.client.post("/api/v1/people", { email: "ana@example.com", role: "viewer" });
  const token = body.data.inviteUrl.split("/").at(-1);
  const accepted = await anyone.send("POST", `/api/v1/invites/${token}`, { name: "Ana", password }, OWN_PAGE);
  expect(accepted.status).toBe(200);
  expect((await signIn({ email: "ana@example.com", password })).status).toBe(200);
});
