import { expect, test } from "bun:test";
import { Binary } from "../support/product/binary.ts";
import { answersOf, UNLOCKED, unlockedPage } from "../support/requests/locked-page.ts";

test("behavior 9.6, 21.32: a backup of a live database under load is consistent, and a server starts on its restore", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const { body } = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
  const { id, checkinUrl } = body.data;
  const locked = await unlockedPage(client);

  let sent = 0;
  let going = true;
  const flood = Array.from({ length: 8 }, async () => {
    while (going) {
      await fetch(checkinUrl);
      sent++;
    }
  });
  while (sent < 200) await Bun.sleep(1);
  const before = sent;
  expect(await binary.run(["backup", "copy.db"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Backed up to copy.db\n",
  });
  const after = sent;
  going = false;
  await Promise.all(flood);

  expect((await binary.run(["check"])).stderr).toContain("has no damage");
  expect((await binary.run(["backup", "copy.db"])).stderr).toContain("exists already");
  expect(await binary.run(["restore", "copy.db"])).toMatchObject({ code: 1, stdout: "" });
  expect(await binary.run(["restore", "copy.db", "--data-dir", "elsewhere"])).toMatchObject({ code: 0 });
  expect((await binary.run(["check", "--data-dir", "elsewhere"])).code).toBe(0);

  const restored = await binary.serve(["--data-dir", "elsewhere"]);
  const answer = await client.at(restored.url).get(`/api/v1/monitors?range=1d`);
  expect(answer.body.data.map((monitor: { id: string }) => monitor.id)).toEqual([id]);
  expect(await answersOf(restored.url, locked)).toEqual(UNLOCKED);
  let count = 0;
  let cursor = "";
  do {
    const page = await client
      .at(restored.url)
      .get(`/api/v1/monitors/${id}/results?limit=200${cursor && `&cursor=${cursor}`}`);
    count += page.body.data.length;
    cursor = page.body.cursor ?? "";
  } while (cursor);
  expect(count).toBeGreaterThanOrEqual(before);
  expect(count).toBeLessThanOrEqual(after + 8);
}, 300_000);

test("behavior 9.7: check and restore report an error in one line", async () => {
  await using binary = new Binary();
  expect(await binary.run(["check"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "stillup: data/stillup.db does not exist\n",
  });
  expect(await binary.run(["restore", "missing.db"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "stillup: missing.db does not exist\n",
  });
});
