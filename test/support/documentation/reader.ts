import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { Binary } from "../product/binary.ts";
import type { Block, Page } from "./page.ts";
import { Background, type Ran, Shell } from "./shell.ts";
import { differences, isShown } from "./shown.ts";

export interface Surroundings {
  env?: Record<string, string>;
  /** Texts of the page, and their values in the test. */
  replace?: Record<string, string>;
}

/** Ports on which servers of the pages listen. */
const PORTS = /\b(?:7070|7071|8000|9000|9001)\b/g;

/**
 * Follows a page exactly, except for its ports, which another program may use: in a new folder with the compiled binary, in one shell, and in others for commands that keep
 * running. A mark is an HTML comment before a block, which readers do not see:
 *
 * - `run`: types it into the shell; no command may fail
 * - `run until it prints`: repeats it until it prints the next block
 * - `run, fails with N`: the exit code must be N
 * - `run beside`: keeps running in its own shell; `run beside, in the clone`: in the root of the repository
 * - `prints`: the output of the previous block: a text in which `…` matches anything, or JSON, see `differences`
 * - `prints, among others`: the output contains these lines
 * - `file NAME`: writes the block to that file
 * - `tested by FILE`: that test reads it from the page
 * - `not run: REASON`
 */
export class Reader implements AsyncDisposable {
  readonly #binary = new Binary();
  readonly #beside: Background[] = [];
  readonly #shell: Shell;
  readonly #env: Record<string, string>;
  readonly #ports = new Map<string, number>();
  #ran: () => Promise<Ran> | Ran = () => ({ code: 0, printed: "" });
  #patient = false;

  constructor(private readonly surroundings: Surroundings = {}) {
    const path = [this.folder, dirname(process.execPath), process.env.PATH, "/usr/sbin"].join(":");
    this.#env = { PATH: path, HOME: this.folder, STILLUP_PORT: this.#port("7070"), ...surroundings.env };
    this.#shell = new Shell({ cwd: this.folder, env: this.#env });
  }

  get folder(): string {
    return this.#binary.folder;
  }

  async follow({ path, blocks }: Pick<Page, "path" | "blocks">): Promise<void> {
    for (const block of blocks) {
      await this.#obey(block).catch((error: Error) => {
        throw new Error(`${path}, at "${block.text.split("\n")[0]}": ${error.message}`);
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell[Symbol.asyncDispose]();
    for (const one of this.#beside) await one[Symbol.asyncDispose]();
    await this.#binary[Symbol.asyncDispose]();
  }

  async #obey({ mark = "", language, text: shown }: Block): Promise<void> {
    const text = this.here(shown);
    const [, verb = "", rest = ""] =
      /^(run beside|run until it prints|run|prints|file|)(.*)$/.exec(mark) ?? [];
    if (verb === "run") await this.#run(text, Number(/fails with (\d+)/.exec(rest)?.[1] ?? 0));
    if (verb === "run until it prints") this.#again(text);
    if (verb === "run beside") this.#runBeside(text, rest.includes("in the clone"));
    if (verb === "prints") await this.#expect(rest === "" ? text : `…${text.trim()}…`, language);
    if (verb === "file") this.#write(rest.trim(), text);
  }

  /** Replaces texts of the page by their values in the test. */
  here(text: string): string {
    const { replace = {} } = this.surroundings;
    const own = Object.entries(replace).reduce((all, [name, here]) => all.replaceAll(name, here), text);
    return own.replaceAll(PORTS, (port) => this.#port(port));
  }

  /** The port for a port of the pages. */
  #port(shown: string): string {
    const port = this.#ports.get(shown) ?? freePort();
    this.#ports.set(shown, port);
    return `${port}`;
  }

  async #run(text: string, expected: number): Promise<void> {
    const ran = await this.#shell.run(text);
    if (ran.code !== expected)
      throw new Error(`the exit code is ${ran.code}, not ${expected}: ${ran.printed}`);
    this.#ran = () => ran;
    this.#patient = false;
  }

  #again(text: string): void {
    this.#ran = () => this.#shell.run(text);
    this.#patient = true;
  }

  #runBeside(text: string, inClone: boolean): void {
    const own = inClone ? { STILLUP_DATA_DIR: join(this.folder, "data") } : {};
    const cwd = inClone ? resolve(".") : this.folder;
    const one = new Background(text, { cwd, env: { ...this.#env, ...own } });
    this.#beside.push(one);
    this.#ran = () => ({ code: 0, printed: one.printed });
    this.#patient = true;
  }

  async #expect(text: string, language: string): Promise<void> {
    let wrong = "";
    const look = async () => {
      const { printed } = await this.#ran();
      wrong = mistake(text, language, printed);
      return wrong === "";
    };
    if (!this.#patient) await look();
    else await eventually(look).catch(() => {});
    if (wrong) throw new Error(wrong);
  }

  #write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function mistake(shown: string, language: string, printed: string): string {
  if (language === "json") return differences(shown, printed).join("; ");
  return isShown(shown, printed) ? "" : `shown: ${shown}printed: ${printed}`;
}
