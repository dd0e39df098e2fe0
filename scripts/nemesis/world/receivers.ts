import type { Server } from "bun";
import type { Notified } from "../../../test/support/servers/receiver.ts";
import { createDraw, type Draw } from "../../simulator/truth/draw.ts";
import type { Attempt } from "../log.ts";
import type { ChannelName } from "../plan/scenario.ts";

/** How a receiver answers. @property refuses the share of deliveries whose first attempt gets 503 @property delay milliseconds */
const MANNERS: { [C in ChannelName]: { delay: [from: number, to: number]; refuses: number } } = {
  fast: { delay: [0, 20], refuses: 0 },
  slow: { delay: [100, 900], refuses: 0 },
  moody: { delay: [0, 300], refuses: 0.1 },
  busy: { delay: [0, 100], refuses: 0.01 },
};

/** The receivers of all channels. They log each request, and what was answered. */
export class Receivers {
  readonly attempts: Attempt[] = [];
  readonly #server: Server<undefined>;
  readonly #draw: Draw;
  readonly #seen = new Set<string>();

  constructor(address: string, seed: number) {
    this.#draw = createDraw(seed).fork("receivers");
    this.#server = Bun.serve({ hostname: address, port: 0, fetch: (request) => this.#receive(request) });
  }

  urlOf(channel: ChannelName): string {
    return new URL(`/${channel}`, this.#server.url).href;
  }

  async #receive(request: Request): Promise<Response> {
    const from = Date.now();
    const channel = new URL(request.url).pathname.slice(1) as ChannelName;
    const id = request.headers.get("webhook-id") ?? "";
    const { data } = (await request.json()) as Notified;
    const { delay, refuses } = MANNERS[channel];
    const isFirst = !this.#seen.has(id);
    this.#seen.add(id);
    const accepted = !(isFirst && this.#draw.chance(refuses));
    const attempt: Attempt = {
      ...{ channel, id, resultId: data.result.id, monitor: data.monitor.name, status: data.status },
      ...{ accepted, from, to: Number.POSITIVE_INFINITY },
    };
    this.attempts.push(attempt);
    await Bun.sleep(this.#draw.between(...delay));
    attempt.to = Date.now();
    return new Response("", { status: accepted ? 200 : 503 });
  }
}
