import type { Answer, Begin, Listening, Order, Report } from "./messages.ts";

/** The process of `world.ts`. */
export class WorldProcess implements AsyncDisposable {
  readonly #waiting: ((answer: Answer) => void)[] = [];
  readonly #child: Bun.Subprocess;
  readonly #ended: Promise<never>;

  /** With real-time priority if this user may: a target that waits for a core would look slow or down. */
  constructor() {
    const mayPrefer = Bun.spawnSync(["chrt", "--fifo", "1", "true"], { stderr: "ignore" }).success;
    const prefer = mayPrefer ? ["chrt", "--reset-on-fork", "--fifo", "1"] : [];
    this.#child = Bun.spawn([...prefer, process.execPath, `${import.meta.dir}/world.ts`], {
      stdout: "inherit",
      stderr: "inherit",
      serialization: "advanced",
      ipc: (answer: Answer) => this.#waiting.shift()?.(answer),
    });
    this.#ended = this.#child.exited.then(() => {
      throw new Error("the process of the targets has ended");
    });
    // Nothing may be waiting for it at the end.
    this.#ended.catch(() => {});
  }

  async listen(at: { address: string; seed: number; seconds: number; nodes: number }): Promise<Listening> {
    const answer = await this.#order({ listen: at });
    if (!("listening" in answer)) throw new Error("the targets do not listen");
    return answer.listening;
  }

  async begin(begin: Begin): Promise<void> {
    await this.#order({ begin });
  }

  /** Stops the jobs, and waits for their last requests. The targets and receivers go on. */
  async finish(): Promise<Report> {
    const answer = await this.#order({ finish: true });
    if (!("report" in answer)) throw new Error("the targets do not report");
    return answer.report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  #order(one: Order): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.push(resolve);
    this.#child.send(one);
    return Promise.race([promise, this.#ended]);
  }
}
