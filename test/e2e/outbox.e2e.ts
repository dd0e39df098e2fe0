import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { type Received, Receiver } from "../support/servers/receiver.ts";
import { makeDeliveriesDue } from "../support/store/states.ts";

const MONITORS = 200;
const CHANNELS = 5;
const KILLS = 5;

/** Accepts, rejects or refuses connections at random, until it is fixed. */
class MoodyReceiver extends Receiver {
  mended = false;

  /** Stops listening for a while, now and then. */
  async refuseAtTimes(): Promise<void> {
    while (!this.mended) {
      await Bun.sleep(Math.random() * 500);
      await this.close();
      await Bun.sleep(Math.random() * 200);
      this.listen();
    }
  }

  protected override respond(): Response | Promise<Response> {
    const mood = this.mended ? 1 : Math.random();
    if (mood < 0.1) return new Response(null, { status: 500 });
    if (mood < 0.2) return new Response(null, { status: 429, headers: { "retry-after": "1" } });
    if (mood < 0.25) return new Response(null, { status: 410 });
    if (mood < 0.27) return new Promise(() => {});
    return new Response("thanks");
  }
}

test("behavior 5.11, 5.12: 200 monitors that go down at once, unreliable receivers and five kill -9 lose no alert and keep the order", async () => {
  await using binary = new Binary();
  await using stack = new AsyncDisposableStack();
  const receivers = Array.from({ length: CHANNELS }, () => stack.use(new MoodyReceiver()));
  let server = await binary.serve();
  const client = await server.client();
  const channels: string[] = [];
  for (const { url } of receivers) {
    const hook = { name: "hook", type: "WEBHOOK", config: { url } };
    channels.push((await client.post("/api/v1/alerts", hook)).body.data.id);
  }
  const jobs = await Promise.all(
    Array.from({ length: MONITORS }, async (_, at) => {
      const job = { name: `job ${at}`, type: "SCHEDULED", config: {}, alertChannelIds: channels };
      return (await client.post("/api/v1/monitors", job)).body.data;
    }),
  );
  const refusals = receivers.map((receiver) => receiver.refuseAtTimes());
  const answers = await Promise.all(jobs.map(({ checkinUrl }) => fetch(`${checkinUrl}?status=fail`)));
  expect(answers.every(({ ok }) => ok)).toBe(true);

  await using opened = await binary.attach();
  const { db, store } = opened;
  const [organization] = await store.organizations.list();
  const organizationId = organization?.id ?? "";
  // The delays between attempts are not part of this test.
  const skipWaits = () => makeDeliveriesDue(db);
  const total = () => receivers.reduce((sum, { received }) => sum + received.length, 0);
  for (let kill = 0; kill < KILLS; kill++) {
    const before = total();
    await eventually(async () => {
      await skipWaits();
      return total() > before + 20;
    }, 300_000);
    await server.kill();
    server = await binary.serve();
  }
  for (const receiver of receivers) receiver.mended = true;
  await Promise.all(refusals);
  await eventually(async () => {
    await skipWaits();
    return (await store.deliveries.countPending(organizationId)) === 0;
  }, 300_000);

  const all = { limit: MONITORS * CHANNELS + 1, cursor: undefined };
  for (const [at, { received }] of receivers.entries()) {
    const { items } = await store.deliveries.list(organizationId, channels[at] ?? "", all);
    expect(items).toHaveLength(MONITORS);
    const sent = items.toReversed();
    const arrived = firstArrivals(received);
    // Deliveries that never arrived were rejected each time, up to the last attempt.
    expect(arrived).toEqual(sent.map(({ id }) => id).filter((id) => arrived.includes(id)));
    const missing = sent.filter(({ id }) => !arrived.includes(id));
    expect(missing.filter(({ status }) => status !== "failed")).toEqual([]);
  }
}, 300_000);

/** The deliveries in the order in which the receiver first saw them. */
function firstArrivals(received: Received[]): string[] {
  return [...new Set(received.map(({ id }) => id))];
}
