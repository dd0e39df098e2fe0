import { readdirSync, readFileSync } from "node:fs";

/** After SIGTERM, in milliseconds. */
const KILL_AFTER = 10_000;

/**
 * Ends a command that takes too long, with what it has started: SIGTERM, then SIGKILL.
 *
 * @param length milliseconds
 */
export class TimeLimit {
  #timer: Timer;
  #hasPassed = false;

  constructor(
    private readonly child: Bun.Subprocess,
    readonly length: number,
  ) {
    this.#timer = setTimeout(() => this.#terminate(), length);
  }

  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  /** The command has ended. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #terminate(): void {
    this.#hasPassed = true;
    this.#kill("SIGTERM");
    this.#timer = setTimeout(() => this.#kill("SIGKILL"), KILL_AFTER);
  }

  #kill(signal: NodeJS.Signals): void {
    // After the end of a command, its children are no longer its own.
    const started = descendants(this.child.pid);
    this.child.kill(signal);
    for (const pid of started) killIfAlive(pid, signal);
  }
}

function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

/** See proc_pid_task(5). A process that has just ended has none. */
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"));
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

function killIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended, or belongs to another user.
  }
}
