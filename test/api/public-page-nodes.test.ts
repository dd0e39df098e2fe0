import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startNode } from "../support/product/node.ts";
import type { Client } from "../support/requests/client.ts";
import { unlock } from "../support/requests/locked-page.ts";
import { createPage, PAGES } from "../support/requests/pages.ts";
import { sharedCluster } from "../support/store/postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "../support/store/postgres/databases.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";

setDefaultTimeout(300_000);

const PASSWORD = "open sesame";

describe.skipIf(findPrograms() === undefined)("a public page on two nodes", () => {
  const ends = new AsyncDisposableStack();
  let first: Client;
  let second: Client;

  beforeAll(async () => {
    const database = await createTestDatabase();
    ends.defer(() => dropDatabase(database));
    const url = (await sharedCluster()).url(database);
    const a = ends.use(await startNode(url, { baseUrl: "https://up.example.com" }));
    const b = ends.use(await startNode(url, { baseUrl: "https://up.example.com" }));
    first = a.client;
    second = b.client.as(a.client.key);
  });

  afterAll(() => ends[Symbol.asyncDispose]());

  test("behavior 21.36, 21.39: with a password, a cookie of one opens it at the other, until the password changes", async () => {
    const { id, slug } = await createPage(first, { visibility: "password", password: PASSWORD });
    const path = `/status/${slug}`;
    const opened = await unlock(first.url, slug, PASSWORD);
    const cookie = opened.headers.getSetCookie()[0] ?? "";
    expect(cookie).toContain("Secure");
    const statusAt = async ({ url }: Client) =>
      (await fetch(url + path, { headers: { cookie: cookie.split(";")[0] ?? "" } })).status;
    await eventually(async () => (await statusAt(second)) === 200);
    await second.patch(`${PAGES}/${id}`, { password: "another one" });
    await eventually(async () => (await statusAt(second)) === 401);
    await eventually(async () => (await statusAt(first)) === 401);
  });

  test("behavior 15.17, 21.3, 21.5: both have the same feed in each language, and another one after its page gets a language", async () => {
    const { id, slug } = await createPage(first, { visibility: "public" });
    const feedAt = async ({ url }: Client, language: string, known = "") => {
      const headers = { "accept-language": language, "if-none-match": known };
      const answer = await fetch(`${url}/status/${slug}/feed.atom`, { headers });
      const [, lang] = /<feed[^>]* xml:lang="([^"]*)"/.exec(await answer.text()) ?? [];
      const [etag = "", vary] = ["etag", "vary"].map((name) => answer.headers.get(name) ?? "");
      return { status: answer.status, lang, etag, vary };
    };
    const french = await feedAt(first, "fr");
    expect(french).toMatchObject({ status: 200, lang: "fr", vary: "accept-encoding, host, accept-language" });
    expect(await feedAt(second, "fr")).toEqual(french);
    expect((await feedAt(second, "fr", french.etag)).status).toBe(304);
    expect((await feedAt(second, "nl", french.etag)).lang).toBe("nl");
    await first.patch(`${PAGES}/${id}`, { language: "ar" });
    for (const node of [first, second])
      await eventually(async () => (await feedAt(node, "fr", french.etag)).lang === "ar");
    const arabic = await feedAt(first, "fr");
    expect(arabic.vary).toBe("accept-encoding, host");
    expect(await feedAt(second, "nl")).toEqual(arabic);
  });
});
