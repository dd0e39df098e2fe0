import { expect, test } from "bun:test";
import { join } from "node:path";
import { Binary } from "../support/product/binary.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { breakRhythm } from "../support/store/states.ts";
import { tempDir } from "../support/temp-dir.ts";

test("behavior 7.12: the answer to an internal error has no internals, and the log has the cause", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const { id, checkinUrl } = await createMonitor(client, "SCHEDULED");
  const { id: other } = await createMonitor(client, "SCHEDULED");
  await checkIn(client, id, "ok");
  await using opened = await binary.attach();
  await breakRhythm(opened.db, id, Date.now());

  const response = await fetch(checkinUrl);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: "Internal error" });
  expect((await client.get(`/api/v1/monitors/${other}/checkin`)).status).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await server.log).toContain("Mars/Olympus");
}, 300_000);

test("the stack of an error names files and lines of the sources, of which the binary has only the positions", async () => {
  using dir = tempDir();
  const preload = join(dir.path, "without-entries.ts");
  await Bun.write(preload, "Object.fromEntries = undefined as never;");
  await using binary = new Binary({ env: { BUN_OPTIONS: `--preload ${preload}` } });
  const { stderr } = await binary.run(["serve"]);
  const [, file = "", line = ""] = /^ +at (src\/\S+\.ts):(\d+):\d+$/m.exec(stderr) ?? [];
  const faulty = (await Bun.file(file).text()).split("\n")[Number(line) - 1] ?? "";
  expect(faulty).toContain("Object.fromEntries(");
  expect(stderr).not.toContain(faulty);
});
