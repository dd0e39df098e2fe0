import { createTestClock, type TestClock } from "../clock.ts";
import { failSyncs, forbidWrites } from "../store/sqlite/sqlite-backdoor.ts";
import { assertListed, assertSettled, Comparison, findAttempts } from "./comparison.ts";
import { type Instance, startInstance } from "./instance.ts";
import type { DeathAt } from "./life.ts";
import { networkOf } from "./network.ts";
import { PassingTime, SCAN } from "./passing-time.ts";
import { accepts } from "./receivers.ts";
import { Recordings } from "./recordings.ts";
import { Requests } from "./requests.ts";
import { OutboxRules } from "./rules.ts";
import { type ChannelSlot, type MonitorSlot, newChannel, newMonitor } from "./slots.ts";
import { copyTemplate, NOW, type Template } from "./template.ts";

const SECOND = 1000;

/** Long enough to commit a transition and to start attempts. It divides no second, so timers do not meet by accident. */
const MOMENT = 61;

/** Longer than any attempt is postponed. */
const MAX_DELAY = 62 * 60 * SECOND;

/** The product on virtual time, beside the rules that judge it. */
export class OutboxWorld implements Disposable {
  readonly clock: TestClock = createTestClock(NOW);
  readonly rules = new OutboxRules();
  readonly channels: ChannelSlot[];
  readonly monitors: MonitorSlot[];
  /** The organizations whose location is silent. */
  readonly silent = new Set<string>();
  readonly requests = new Requests(this);
  readonly recordings = new Recordings(this);
  /** Violations that were found where the product would catch them. */
  readonly faults: unknown[] = [];
  /** The current process. */
  instance: Instance;
  /** How many attempts have started. */
  starts = 0;
  diskFails = false;
  /** Whether the disk rejects syncs. */
  rejectsSyncs = false;
  /** Whether the process started on a log that it can't write again: then its syncs fail too (behavior 1.51). */
  #isLogInDoubt = false;
  readonly #time = new PassingTime(this);
  readonly #comparison = new Comparison();
  readonly #dir: ReturnType<typeof copyTemplate>;
  readonly #logged: string[] = [];
  readonly #endFault = { disk: () => {}, syncs: () => {} };

  constructor(template: Template) {
    this.#dir = copyTemplate(template);
    this.channels = template.channels.map(({ name, ...values }) => {
      const [model, { owner }] = [newChannel(values), values];
      return { name, owner, model, addresses: 1, manner: accepts, endsProcess: false };
    });
    this.rules.channels.push(...this.channels.map(({ model }) => model));
    this.monitors = template.monitors.map(({ name, kind, owner, id }) => {
      const own = this.channels.filter((channel) => channel.owner === owner).map(({ model }) => model);
      return { name, kind, owner, model: newMonitor({ id, kind }, owner, own) };
    });
    this.rules.monitors.push(...this.monitors.map(({ model }) => model));
    this.instance = this.#start();
  }

  #start(): Instance {
    return startInstance({
      dataDir: this.#dir.dataDir,
      clock: this.clock,
      network: (life) => networkOf(this, life),
      logged: this.#logged,
      onOpened: ({ writer }) => {
        if (this.diskFails) this.#endFault.disk = forbidWrites(writer);
      },
    });
  }

  /** Records a result of a monitor, and waits a moment. */
  async record(slot: MonitorSlot, status: string): Promise<void> {
    this.recordings.add(slot, status);
    await this.moment();
  }

  async pass(ms: number): Promise<void> {
    await this.#time.pass(ms);
    await this.check();
  }

  async passUntilDue(): Promise<void> {
    await this.pass((this.rules.untilDue(this.clock.now()) ?? 0) + SECOND + MOMENT);
  }

  async moment(): Promise<void> {
    await this.pass(MOMENT);
  }

  async jump(ms: number): Promise<void> {
    this.clock.jump(ms);
    if (ms < 0) this.rules.decideAgain(() => true);
    await this.moment();
  }

  async crash(): Promise<void> {
    this.instance.life.end();
    await this.moment();
  }

  crashAt(deathAt: DeathAt): void {
    this.instance.life.endAt(deathAt);
  }

  async rejectWrites(): Promise<void> {
    this.diskFails = true;
    this.#endFault.disk = forbidWrites(this.instance.engine.writer);
    await this.moment();
  }

  async acceptWrites(): Promise<void> {
    this.#endFault.disk();
    this.diskFails = false;
    this.#isLogInDoubt = false;
    if (!this.rejectsSyncs) this.rules.acceptSyncs();
    await this.pass(SECOND + MOMENT);
    if (this.recordings.areHeld)
      throw new Error("results are still held though the disk accepts writes (1.50)");
  }

  async rejectSyncs(): Promise<void> {
    this.rejectsSyncs = true;
    this.rules.syncsFail = true;
    this.#failSyncs();
    await this.moment();
  }

  #failSyncs(): void {
    const end = failSyncs(this.instance.engine.reader);
    this.#endFault.syncs = () => {
      this.#endFault.syncs = () => {};
      end();
    };
  }

  async acceptSyncs(): Promise<void> {
    this.#endFault.syncs();
    this.rejectsSyncs = false;
    if (!this.#isLogInDoubt) this.rules.acceptSyncs();
    await this.pass(SECOND + MOMENT);
  }

  /** Keeps a violation, because the product catches errors of the network. */
  judge<Value>(judge: () => Value): Value | undefined {
    try {
      return judge();
    } catch (fault) {
      this.faults.push(fault);
      return undefined;
    }
  }

  /** Decides as the product does after each change and in each second. */
  review(): void {
    if (!this.diskFails && !this.instance.life.isOver) this.rules.review(this.clock.now());
  }

  /** Applies the outcomes that must be written by now. */
  noteOutcomes(): void {
    if (this.diskFails || this.instance.life.isOver) return;
    const before = this.clock.monotonic() - SCAN;
    for (const { attempt } of this.rules.channels)
      if (attempt?.ended && attempt.ended.elapsed <= before) this.rules.write(attempt);
  }

  /** @throws Error if anything that must be true after each command is not */
  async check(): Promise<void> {
    do {
      while (this.instance.life.isOver) await this.#restart();
      this.noteOutcomes();
    } while (await this.#isWriting());
    this.recordings.noteWritten();
    this.#time.assertPrompt();
    this.recordings.assertAnswered();
    const [error] = this.#logged.splice(0);
    if (error && !this.diskFails && !this.rules.syncsFail) throw new Error(`an error was logged: ${error}`);
    await this.#compare({ isForced: false });
  }

  /** Waits a little if outcomes of attempts are not written yet. */
  async #isWriting(): Promise<boolean> {
    const isWriting = !this.diskFails && this.rules.channels.some(({ attempt }) => attempt?.ended);
    if (isWriting) await this.clock.advance(SCAN);
    return isWriting;
  }

  async #compare(options: { isForced: boolean }): Promise<void> {
    for (const monitor of this.rules.monitors)
      if (monitor.exists) await this.#comparison.compare(this.instance.store, monitor, options);
  }

  /** Starts another process on the same database, and finds out what the previous one wrote before its end. */
  async #restart(): Promise<void> {
    await this.clock.settle();
    const previous = this.instance;
    // The log must have its name while it is opened.
    this.#endFault.syncs();
    this.instance = this.#start();
    await previous.engine.close();
    await this.#findOutcomes();
    await this.recordings.findWritten();
    if (this.diskFails) this.#isLogInDoubt = this.rules.syncsFail = true;
    this.rules.crash();
    this.review();
    if (this.rejectsSyncs) this.#failSyncs();
    this.#logged.length = 0;
    this.#time.restart();
    await this.clock.advance(MOMENT);
  }

  /** The outcome of an attempt that had ended before a crash is written or not. */
  async #findOutcomes(): Promise<void> {
    for (const { attempt } of this.rules.channels) {
      if (!attempt?.ended) continue;
      const saved = await findAttempts(this.instance.store, attempt.notification);
      if (saved !== undefined && saved > attempt.notification.attempts) this.rules.write(attempt);
    }
  }

  /** Ends all faults, lets everything settle, and checks what must be true at the end. */
  async finish(): Promise<void> {
    for (const slot of this.channels) Object.assign(slot, { manner: accepts, endsProcess: false });
    this.crashAt({ call: Number.POSITIVE_INFINITY, effect: "none" });
    if (this.diskFails) await this.acceptWrites();
    if (this.rejectsSyncs) await this.acceptSyncs();
    await this.pass(this.rules.untilDecided(this.clock.now()) + SECOND);
    await this.pass(MAX_DELAY);
    await this.#compare({ isForced: true });
    await assertSettled(this.instance.store, this.rules);
    await assertListed(this.instance.store, this.rules);
  }

  [Symbol.dispose](): void {
    this.#endFault.syncs();
    this.instance.life.end();
    void this.instance.engine.close();
    this.#dir[Symbol.dispose]();
  }
}
