import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { checkIn } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(120_000);

const binary = await untilEndOfFile(new Binary());
const receiver = await untilEndOfFile(new Receiver());
let server: RunningServer;
let client: Client;
let keyFile: string;

/** @param settings of the job `backup` */
function file(settings: object, others: object = {}): string {
  const job = { type: "SCHEDULED", alertChannelIds: ["ops"] };
  const monitors = { backup: { ...job, ...settings }, report: { ...job, tags: ["night"] }, ...others };
  const channels = { ops: { type: "WEBHOOK", config: { url: receiver.url } } };
  return write("stillup.json", JSON.stringify({ channels, monitors }));
}

function write(name: string, text: string): string {
  const path = join(binary.folder, name);
  writeFileSync(path, text);
  return path;
}

/** A job that fails once, recovers, fails twice and recovers: four messages. */
beforeAll(async () => {
  server = await binary.serve();
  client = await server.client();
  keyFile = write("key", `${client.key}\n`);
  chmodSync(keyFile, 0o600);
  expect(await binary.run(["apply", file({})])).toMatchObject({ code: 0 });
  const { data } = (await client.get("/api/v1/monitors")).body;
  const { id } = data.find(({ ref }: { ref: string }) => ref === "backup");
  await checkIn(client, id, "ok", "fail", "ok", "fail", "fail", "ok");
  await eventually(() => receiver.received.length === 4);
});
afterAll(() => server.end("SIGTERM"));

const replay = (path: string, ...args: string[]) =>
  binary.run(["apply", "--dry-run", "--replay", "30", ...args, path]);
const remote = () => ["--server", server.url, "--key-file", keyFile];

test.each([
  ["the database", () => []],
  ["the API", remote],
])("behavior 25.40, 25.45: the plan has a line for each changed monitor, by %s", async (_, access) => {
  const isNew = { added: { type: "SCHEDULED", alertChannelIds: [] } };
  const { code, stdout, stderr } = await replay(
    file({ confirmations: 1, tags: ["night"] }, isNew),
    ...access(),
  );
  expect([code, stderr]).toEqual([2, "1 to create, 1 to update\n"]);
  expect(stdout.replace(/; the 1 outage .* later/, "")).toBe(
    [
      "~ monitor backup: confirmations, tags",
      "+ monitor added",
      "",
      "backup: 2 messages instead of 4 in 30 days; not replayed: tags",
      "added: is new, so there is nothing to replay",
      "",
    ].join("\n"),
  );
  // A dry run changes nothing, and there was nothing to send.
  expect(receiver.received).toHaveLength(4);
  const same = await replay(file({}), ...access());
  expect(same).toEqual({ code: 0, stdout: "", stderr: "nothing to change\n" });
});

test("behavior 25.41: channels and new maintenances concern their monitors, also those that the file does not name", async () => {
  const channels = { ops: { type: "WEBHOOK", config: { url: receiver.url }, notifyOn: ["down"] } };
  const other = await replay(write("channels.json", JSON.stringify({ channels })));
  expect(other).toMatchObject({ code: 2, stderr: "1 to update\n" });
  expect(other.stdout).toBe(
    [
      "~ channel ops: notifyOn",
      "",
      "backup: 2 messages instead of 4 in 30 days",
      "report: nothing would differ in 30 days: 0 messages",
      "",
    ].join("\n"),
  );
  const always = { selector: { tags: ["night"] }, cron: "* * * * *", duration: 60 };
  const silent = await replay(write("maintenance.json", JSON.stringify({ maintenances: { always } })));
  expect(silent.stdout).toBe("+ maintenance always\n\nreport: nothing would differ in 30 days: 0 messages\n");
});

test.each([
  ["the database", () => []],
  ["the API", remote],
])("behavior 25.44: --json has the outcome of each monitor, by %s", async (_, access) => {
  const changed = file({ confirmations: 1, tags: ["night"] });
  const { code, stdout, stderr } = await replay(changed, "--json", ...access());
  expect([code, stderr]).toEqual([2, "1 to update\n"]);
  const { changes, replays } = JSON.parse(stdout);
  expect(changes).toEqual([
    { action: "update", kind: "monitor", ref: "backup", fields: ["confirmations", "tags"] },
  ]);
  expect(replays).toEqual([
    {
      ref: "backup",
      monitorId: expect.any(String),
      fields: ["confirmations"],
      notReplayed: [{ field: "tags", reason: null }],
      outcome: {
        from: expect.any(String),
        to: expect.any(String),
        monitorCount: 1,
        present: { outages: 2, notifications: 4, downSeconds: expect.any(Number) },
        changed: { outages: 1, notifications: 2, downSeconds: expect.any(Number) },
        later: expect.anything(),
        missed: [],
        gone: [expect.objectContaining({ monitorId: replays[0].monitorId, status: "failed" })],
        exact: true,
      },
    },
  ]);
  const { monitorId, outcome } = replays[0];
  expect(Date.parse(outcome.to) - Date.parse(outcome.from)).toBe(30 * 86_400_000);
  const request = { selector: { monitorIds: [monitorId] }, days: 30, changes: { confirmations: 1 } };
  const { body } = await client.post("/api/v1/replay", request);
  const { from, to, ...figures } = body.data;
  expect(outcome).toMatchObject(figures);
  const plain = await binary.run(["apply", "--dry-run", "--json", changed, ...access()]);
  expect(plain).toMatchObject({ code: 2, stdout: `${JSON.stringify({ changes }, null, 2)}\n` });
});

test("behavior 25.40, 16.68: the plan is printed also if the server is older than the replay", async () => {
  await using older = new HttpTarget((request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/api/v1/replay") return Response.json({ error: "Not found" }, { status: 404 });
    return fetch(`${server.url}${pathname}${search}`, request);
  });
  const url = older.url.replace(/\/$/, "");
  const asked = await replay(file({ confirmations: 1 }), "--server", url, "--key-file", keyFile);
  expect(asked).toEqual({
    code: 1,
    stdout: "~ monitor backup: confirmations\n",
    stderr: `1 to update\nstillup: ${url}: it does not know this request: its version is older, or the URL is wrong\n`,
  });
});
