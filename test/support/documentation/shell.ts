import { join } from "node:path";
import { tempDir } from "../temp-dir.ts";

export interface Ran {
  /** Exit code of the last failed command, or 0. */
  code: number;
  /** Standard output and standard error. */
  printed: string;
}

const END = "---end of a block---";

/** @property under program with arguments that runs the shell */
interface Surroundings {
  cwd: string;
  env: Record<string, string>;
  under?: string[];
}

/** One bash, which keeps its variables and functions between calls. */
export class Shell implements AsyncDisposable {
  readonly #texts = tempDir();
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #seen = "";
  #count = 0;

  constructor({ cwd, env, under = [] }: Surroundings) {
    // In its own session, so that its children end with it.
    this.#child = Bun.spawn([...under, "setsid", "bash"], { cwd, env, stdin: "pipe", stdout: "pipe" });
    this.#chunks = this.#child.stdout[Symbol.asyncIterator]();
    this.#say("exec 2>&1; set -o pipefail -o errtrace; trap 'failed=$?' ERR");
  }

  /** Runs lines as if a user typed them. */
  async run(text: string): Promise<Ran> {
    const file = join(this.#texts.path, `${this.#count++}`);
    await Bun.write(file, text);
    this.#say(`failed=0; . '${file}' </dev/null; printf '\\n${END}%s\\n' "$failed"`);
    return this.#answer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    endSession(this.#child.pid);
    await this.#child.exited;
    this.#texts[Symbol.dispose]();
  }

  #say(line: string): void {
    this.#child.stdin.write(`${line}\n`);
    void this.#child.stdin.flush();
  }

  async #answer(): Promise<Ran> {
    const decoder = new TextDecoder();
    for (;;) {
      const [, printed = "", code, rest = ""] =
        new RegExp(`^(.*)\\n${END}(\\d+)\\n(.*)$`, "s").exec(this.#seen) ?? [];
      if (code !== undefined) {
        this.#seen = rest;
        return { code: Number(code), printed };
      }
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error(`the shell has ended: ${this.#seen}`);
      this.#seen += decoder.decode(value, { stream: true });
    }
  }
}

/** A command that keeps running, as in its own terminal. */
export class Background implements AsyncDisposable {
  printed = "";
  readonly #child: Bun.Subprocess<"ignore", "pipe", "inherit">;
  readonly #listening: Promise<void>;

  constructor(text: string, { cwd, env, under = [] }: Surroundings) {
    const line = `exec 2>&1\n${text}`;
    this.#child = Bun.spawn([...under, "setsid", "bash", "-e", "-c", line], { cwd, env, stdout: "pipe" });
    this.#listening = this.#listen();
  }

  /** Waits until the command exits. @returns its output */
  get ended(): Promise<void> {
    return this.#listening;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    endSession(this.#child.pid);
    await this.#child.exited;
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) this.printed += decoder.decode(chunk, { stream: true });
  }
}

function endSession(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}
