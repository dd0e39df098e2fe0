import { expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { becomes } from "../support/requests/becomes.ts";
import type { Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { makeReportsDue } from "../support/store/states.ts";

const SENDERS = 8;
const CHECKINS_BEFORE_THE_CRASH = 120;

test("behavior 5.11, 7.68: kill -9 in a flood of check-ins loses no acknowledged check-in and no alert", async () => {
  await using binary = new Binary();
  await using receiver = new Receiver();
  const first = await binary.serve();
  const client = await first.client();
  const hook = { name: "hook", type: "WEBHOOK", config: { url: receiver.url } };
  const channel = (await client.post("/api/v1/alerts", hook)).body.data.id;
  const jobs = await Promise.all(
    Array.from({ length: SENDERS }, async (_, at) => {
      const job = { name: `job ${at}`, type: "SCHEDULED", config: {}, alertChannelIds: [channel] };
      return (await client.post("/api/v1/monitors", job)).body.data;
    }),
  );

  // Each sender changes the status of its own monitor with every check-in, one after the other.
  let total = 0;
  const answered = await Promise.all(
    jobs.map(async ({ checkinUrl }) => {
      const words: string[] = [];
      for (;;) {
        const word = words.length % 2 === 0 ? "fail" : "ok";
        const response = await fetch(`${checkinUrl}?status=${word}`).catch(() => undefined);
        if (!response?.ok) return words;
        words.push(word);
        if (++total === CHECKINS_BEFORE_THE_CRASH) void first.kill();
      }
    }),
  );

  const second = await binary.serve();
  const again = client.at(second.url);
  const ids = new Set<string>();
  for (const [at, { id }] of jobs.entries()) {
    const recorded = await allStatuses(again, id);
    const expected = (answered[at] ?? []).map((word) => (word === "fail" ? "failed" : "ok"));
    // One more check-in may have been committed without a complete response.
    expect(recorded.length - expected.length).toBeOneOf([0, 1]);
    expect(recorded.slice(0, expected.length)).toEqual(expected);
    for (const result of await everyResult(again, id)) ids.add(result.id);
  }
  await eventually(
    () => new Set(receiver.received.map(({ payload }) => payload.data.result.id)).size === ids.size,
    240_000,
  );
  const duplicates = Map.groupBy(receiver.received, ({ payload }) => payload.data.result.id);
  for (const group of duplicates.values()) expect(new Set(group.map(({ id }) => id)).size).toBe(1);
}, 300_000);

test("behavior 1.11: a check that a crash interrupts runs again after the restart, long before its next slot", async () => {
  const requested = Promise.withResolvers<void>();
  const answers: Promise<Response>[] = [new Promise(() => {})];
  await using target = new HttpTarget(() => {
    requested.resolve();
    return answers.shift() ?? new Response();
  });
  await using binary = new Binary();
  const first = await binary.serve();
  const client = await first.client();
  const { id } = await createMonitor(client, "HTTP", { config: { url: target.url, interval: 86_400 } });
  await requested.promise;
  await first.kill();
  const again = client.at((await binary.serve()).url);
  await becomes(again, id, "up");
  expect(await allStatuses(again, id)).toEqual(["up"]);
}, 300_000);

test("behavior 23.71, 23.73: kill -9 at any step of a mail with a report loses none, and sends no other one for the period", async () => {
  await using mail = await MailServer.start();
  await using binary = new Binary();
  const { smtp, ca = "" } = mail.settings({ host: "localhost" });
  const authority = join(binary.folder, "authority.pem");
  await Bun.write(authority, ca);
  const env = { STILLUP_SMTP_URL: smtp?.url.href ?? "", NODE_EXTRA_CA_CERTS: authority };
  const start = () => binary.serve(["--smtp-from", "stillup@example.com"], env);
  let server = await start();
  const to = ["a@example.com", "b@example.com", "c@example.com"];
  const values = { title: "Ours", kind: "day", at: "00:00", selector: { all: true }, to };
  expect((await (await server.client()).post("/api/v1/reports/mails", values)).status).toBe(201);
  await using opened = await binary.attach();
  const { reportMails } = opened.store;
  for (const stage of ["recipient", "content", "answer"] as const) {
    const reached = mail.holdAt(stage);
    if (stage === "recipient") await makeReportsDue(opened.db);
    await reached;
    await server.kill();
    server = await start();
  }
  await eventually(async () => !(await reportMails.isDue(Date.now())), 240_000);
  await server.kill();
  expect(await reportMails.listDue({ now: Date.now() + 86_400_000, limit: 9 })).toEqual([]);
  // The mail whose end nobody acknowledged came again, and maybe the one after which the server ended at once.
  expect(mail.received.length).toBeOneOf([4, 5]);
  const ids = Map.groupBy(mail.received, ({ to: [address = ""] }) => address);
  expect([...ids.keys()].toSorted()).toEqual(to);
  for (const copies of ids.values())
    expect(new Set(copies.map(({ source }) => /^Message-ID: .*$/im.exec(source)?.[0])).size).toBe(1);
}, 300_000);

async function everyResult(client: Client, id: string) {
  const results: { id: string; status: string }[] = [];
  let cursor = "";
  do {
    const { body } = await client.get(
      `/api/v1/monitors/${id}/results?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    results.push(...body.data);
    cursor = body.cursor ?? "";
  } while (cursor);
  return results;
}

/** Oldest first. */
async function allStatuses(client: Client, id: string): Promise<string[]> {
  return (await everyResult(client, id)).map(({ status }) => status).reverse();
}
