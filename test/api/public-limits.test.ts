import { expect, test } from "bun:test";
import { TestServer } from "../support/product/server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createPage } from "../support/requests/pages.ts";
import { engineOfTests } from "../support/store/engines.ts";
import { lockDatabase } from "../support/store/faults.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(TestServer.start());
const owner = server.client;

const BAD = `stillup_${"x".repeat(43)}`;

/** More than the failed attempts that one client may send at once. */
const FLOOD = 1300;

async function publish(): Promise<{ url: string; title: string }> {
  const { id } = await createMonitor(owner, "SCHEDULED");
  const title = `Page ${crypto.randomUUID()}`;
  const components = [{ monitorId: id, name: "Shop" }];
  const { slug } = await createPage(owner, { title, visibility: "public", components });
  return { url: `${owner.url}/status/${slug}`, title };
}

test("behavior 15.100, 15.101: a public page reads neither a key nor a cookie, so that no reader counts as a failed attempt", async () => {
  const { url } = await publish();
  const read = (headers: Record<string, string>) => fetch(`${url}/api/v2/status.json`, { headers });
  const plain = await (await read({})).text();
  const bad = { authorization: `Bearer ${BAD}`, cookie: `stillup_session=${BAD}` };
  const answers = await Promise.all(Array.from({ length: FLOOD }, () => read(bad)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toEqual(new Set([plain]));
  expect((await owner.as(BAD).get("/api/v1/status")).status).toBe(401);
});

// On PostgreSQL, no lock of a writer concerns a reader.
test.skipIf(engineOfTests().name !== "sqlite")(
  "behavior 15.33: a page that nobody has read before is read while another process locks the database",
  async () => {
    const { url, title } = await publish();
    const unlock = await lockDatabase(server.db);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(url)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    await unlock();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(texts.filter((text) => !text.includes(title))).toEqual([]);
  },
);

test("behavior 15.100: a request that no public route takes is a 404, whatever its method", async () => {
  const { url } = await publish();
  for (const method of ["PUT", "PATCH", "DELETE"])
    expect((await fetch(`${url}/feed.atom`, { method })).status).toBe(404);
  for (const path of ["/api/v2/nothing.json", "/badge.png", "/api", "/%E0%A4%A", "/components"])
    expect((await fetch(url + path)).status).toBe(404);
});
