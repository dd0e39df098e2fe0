import { createDraw, type Draw, hash } from "../../simulator/truth/draw.ts";
import type { SentCheckin } from "../log.ts";
import type { Switch } from "./target.ts";

/** How long a job waits for a response, and before it tries another node; milliseconds. */
const PATIENCE = 3000;
const PAUSE = 200;

/** Within which the jobs begin; milliseconds. */
const SPREAD = 1000;

/**
 * A job that checks in after each run, at one node after the other until one of them accepts. Its runs never overlap, so
 * each result belongs to one request.
 */
export class Job implements Switch {
  readonly port = 0;
  readonly sent: SentCheckin[] = [];
  readonly #draw: Draw;
  #turn: number;
  #isUp = false;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  /** @property path of its check-in URL @property every milliseconds from one run to the next */
  constructor(
    private readonly job: { name: string; nodes: string[]; path: string; every: number; failures: number },
  ) {
    this.#draw = createDraw(job.name);
    this.#turn = hash(job.name);
  }

  up(): void {
    this.#isUp = true;
    this.#running = this.#running.then(() => this.#run());
  }

  /** After the check-in that is under way has been accepted. */
  async down(): Promise<void> {
    this.#isUp = false;
    await this.#running;
  }

  /** Sends nothing more, and waits for the last response. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.down();
  }

  async #run(): Promise<void> {
    // So that the jobs don't all send at the same moments.
    await Bun.sleep(this.#draw.between(0, Math.min(this.job.every, SPREAD)));
    while (this.#isUp) {
      const next = performance.now() + this.job.every;
      const status = this.#draw.chance(this.job.failures) ? "fail" : "ok";
      while (!this.#isOver && !(await this.#send(status))) await Bun.sleep(PAUSE);
      while (this.#isUp && performance.now() < next)
        await Bun.sleep(Math.min(PAUSE, next - performance.now()));
    }
  }

  async #send(status: "ok" | "fail"): Promise<boolean> {
    const { nodes, path } = this.job;
    const node = nodes[this.#turn++ % nodes.length];
    const checkin: SentCheckin = { status, sentAt: Date.now(), answeredAt: null };
    this.sent.push(checkin);
    const signal = AbortSignal.timeout(PATIENCE);
    const options = { method: "POST", signal, keepalive: false } as const;
    const response = await fetch(`${node}${path}?status=${status}`, options).catch(() => undefined);
    if (response?.ok) checkin.answeredAt = Date.now();
    return response?.ok ?? false;
  }
}
