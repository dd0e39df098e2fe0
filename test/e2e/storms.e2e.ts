import { expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { makeDeliveriesDue } from "../support/store/states.ts";
import type { TestStore } from "../support/store/test-store.ts";

const PATIENCE = 120_000;

const JOBS = 200;

/** Concurrent requests that create jobs. */
const AT_ONCE = 20;

/** A chat that answers when the test lets it. */
class HeldChat extends Receiver {
  /** The next answer waits for this. */
  held: Promise<Response> | undefined;

  /** The titles of the messages, in the form of Slack. */
  titles(): string[] {
    return this.received.map(({ body }) => JSON.parse(body).attachments[0].blocks[0].text.text);
  }

  protected override respond(): Response | Promise<Response> {
    const held = this.held;
    this.held = undefined;
    return held ?? super.respond();
  }
}

/** The API accepts only the host of the service for a chat, so the channel is created in the database. */
async function createChat({ store }: TestStore, { url }: Receiver): Promise<string> {
  const [organization] = await store.organizations.list();
  const owner = { organizationId: organization?.id ?? "", plan: "enterprise" } as const;
  const channel = { name: "chat", type: "SLACK", config: { webhookUrl: url }, enabled: true } as const;
  return (await store.channels.create(owner, channel, Date.now())).id;
}

async function createJobs(
  server: RunningServer,
  count: number,
  alertChannelIds: string[],
): Promise<string[]> {
  const client = await server.client();
  const ids: string[] = [];
  while (ids.length < count) {
    const names = Array.from(
      { length: Math.min(AT_ONCE, count - ids.length) },
      (_, at) => `job ${ids.length + at}`,
    );
    const jobs = names.map((name) => ({ name, type: "SCHEDULED", config: {}, alertChannelIds }));
    ids.push(
      ...(await Promise.all(
        jobs.map(async (job) => (await client.post("/api/v1/monitors", job)).body.data.id),
      )),
    );
  }
  return ids;
}

async function fail({ url }: RunningServer, jobs: string[]): Promise<void> {
  const answers = await Promise.all(
    jobs.map((id) => fetch(`${url}/api/v1/monitors/${id}/checkin?status=fail`)),
  );
  expect(answers.every(({ ok }) => ok)).toBe(true);
}

async function outcomesOf({ store }: TestStore, channelId: string): Promise<string[]> {
  const [organization] = await store.organizations.list();
  const page = { limit: 1000, cursor: undefined };
  const { items } = await store.deliveries.list(organization?.id ?? "", channelId, page);
  return items.map(({ status, attempts }) => `${status} ${attempts}`);
}

test("behavior 14.63, 14.64: 200 transitions at once are a few messages in a chat and by e-mail, and 200 requests to a webhook", async () => {
  await using binary = new Binary();
  await using chat = new HeldChat();
  await using hook = new Receiver();
  await using mail = await MailServer.start();
  const { smtp, ca = "" } = mail.settings({ host: "localhost" });
  const authority = join(binary.folder, "authority.pem");
  await Bun.write(authority, ca);
  const env = { STILLUP_SMTP_URL: smtp?.url.href ?? "", NODE_EXTRA_CA_CERTS: authority };
  const server = await binary.serve(["--smtp-from", "stillup@example.com"], env);
  const client = await server.client();
  await using opened = await binary.attach();
  const create = async (channel: object) => (await client.post("/api/v1/alerts", channel)).body.data.id;
  const channels: string[] = [
    await createChat(opened, chat),
    await create({ name: "mail", type: "EMAIL", config: { to: "ops@example.com" } }),
    await create({ name: "hook", type: "WEBHOOK", config: { url: hook.url } }),
  ];
  const jobs = await createJobs(server, JOBS, channels);
  const answer = Promise.withResolvers<Response>();
  chat.held = answer.promise;
  await fail(server, jobs);
  answer.resolve(new Response());
  for (const channel of channels)
    await eventually(async () => {
      const outcomes = await outcomesOf(opened, channel);
      return outcomes.length === JOBS && outcomes.every((outcome) => outcome === "delivered 1");
    }, PATIENCE);

  // Everything else arrived while the first message was on its way.
  expect(chat.received.length).toBeLessThanOrEqual(2);
  const counts = chat.titles().map((title) => Number(/^(\d+) monitors: \1 Failed$/.exec(title)?.[1] ?? 1));
  expect(counts.reduce((sum, count) => sum + count)).toBe(JOBS);
  expect(mail.received.length).toBeLessThan(50);
  expect(new Set(hook.received.map(({ id }) => id)).size).toBe(JOBS);
  expect(hook.received).toHaveLength(JOBS);
}, 300_000);

test("behavior 14.64: a message that failed, and one that a kill -9 cut off, are repeated with the same notifications", async () => {
  await using binary = new Binary();
  await using chat = new HeldChat();
  let server = await binary.serve();
  await using opened = await binary.attach();
  const channel = await createChat(opened, chat);
  const jobs = await createJobs(server, 60, [channel]);
  const restart = async () => {
    await server.kill();
    server = await binary.serve();
  };
  const arrival = (count: number) =>
    eventually(async () => {
      await makeDeliveriesDue(opened.db);
      return chat.received.length >= count;
    }, PATIENCE);

  // While the first one is on its way, 19 others arrive.
  const first = Promise.withResolvers<Response>();
  chat.held = first.promise;
  await fail(server, jobs.slice(0, 1));
  await eventually(() => chat.received.length === 1, PATIENCE);
  await fail(server, jobs.slice(1, 20));
  chat.answers = [new Response(null, { status: 503 })];
  first.resolve(new Response());
  await eventually(() => chat.received.length === 2, PATIENCE);
  const isTried = async () => (await outcomesOf(opened, channel)).every((outcome) => outcome.endsWith(" 1"));
  await eventually(isTried, PATIENCE);
  await restart();

  // The retry never gets an answer.
  chat.held = new Promise(() => {});
  await fail(server, jobs.slice(20, 40));
  await arrival(3);
  await restart();
  await fail(server, jobs.slice(40));
  await arrival(5);
  await eventually(
    async () => (await outcomesOf(opened, channel)).every((one) => one.startsWith("delivered")),
    PATIENCE,
  );
  expect(chat.titles()).toEqual([
    "job 0 has failed",
    "19 monitors: 19 Failed",
    "19 monitors: 19 Failed",
    "19 monitors: 19 Failed",
    "40 monitors: 40 Failed",
  ]);
}, 300_000);
