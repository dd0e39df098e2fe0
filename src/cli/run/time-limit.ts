import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

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

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

/** The signals that a terminal sends to all processes in its foreground: the command has them already. */
const OF_TERMINAL: readonly string[] = ["SIGINT", "SIGQUIT"];

/** The names, without `SIG`, of the signals that this process was started to ignore, for example by `nohup`. */
export function ignoredSignals(): string[] {
  const [, mask = "0"] = /^SigIgn:\s*(\w+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  const ignored = BigInt(`0x${mask}`);
  const isIgnored = (name: (typeof FORWARDED)[number]) =>
    ((ignored >> BigInt(constants.signals[name] - 1)) & 1n) === 1n;
  return FORWARDED.filter(isIgnored).map((name) => name.slice("SIG".length));
}

/** Passes on the signals that this process gets. @param ignored see `ignoredSignals` @returns stops that */
export function forwardSignals(
  ignored: readonly string[],
  send: (signal: NodeJS.Signals) => void,
): () => void {
  const names = FORWARDED.filter((name) => !ignored.includes(name.slice("SIG".length)));
  const forward = (name: NodeJS.Signals) => {
    if (!OF_TERMINAL.includes(name) || !isInForeground()) send(name);
  };
  for (const name of names) process.on(name, forward);
  return () => {
    for (const name of names) process.off(name, forward);
  };
}

/** Whether this process is in the foreground of a terminal, see proc_pid_stat(5). */
function isInForeground(): boolean {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name of the program, which may contain anything, is in parentheses.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === foreground;
}
