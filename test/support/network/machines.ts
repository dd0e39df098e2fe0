import { $ } from "bun";
import { tempDir } from "../temp-dir.ts";

/** Distinguishes the networks of one process. */
let created = 0;

/**
 * Machines that are joined by one switch: each is a network namespace with an address and a folder of its own. Needs root and
 * the program `ip`.
 */
export class Machines implements AsyncDisposable {
  readonly #dir = tempDir();
  readonly #undo = new AsyncDisposableStack();
  readonly #prefix = `stillup-${process.pid}-${created++}`;

  private constructor(private readonly names: readonly string[]) {}

  static async create(...names: string[]): Promise<Machines> {
    const machines = new Machines(names);
    try {
      await machines.#build();
      return machines;
    } catch (error) {
      await machines[Symbol.asyncDispose]();
      throw error;
    }
  }

  addressOf(name: string): string {
    return `10.213.79.${10 + this.names.indexOf(name)}`;
  }

  folderOf(name: string): string {
    return `${this.#dir.path}/${name}`;
  }

  /** The program with arguments that runs another one on a machine. */
  on(name: string): string[] {
    return ["ip", "netns", "exec", `${this.#prefix}-${name}`];
  }

  /** Drops what one machine sends to another one, so that requests of that one get no answer. */
  async cut(from: string, to: string): Promise<void> {
    await $`ip -netns ${this.#prefix}-${from} route add blackhole ${this.addressOf(to)}/32`.quiet();
  }

  async join(from: string, to: string): Promise<void> {
    await $`ip -netns ${this.#prefix}-${from} route delete blackhole ${this.addressOf(to)}/32`.quiet();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#undo.disposeAsync();
    this.#dir[Symbol.dispose]();
  }

  async #build(): Promise<void> {
    const hub = `${this.#prefix}-switch`;
    await this.#addNamespace(hub);
    await $`ip -netns ${hub} link add switch type bridge`.quiet();
    await $`ip -netns ${hub} link set switch up`.quiet();
    for (const [at, name] of this.names.entries()) {
      const own = `${this.#prefix}-${name}`;
      await this.#addNamespace(own);
      await $`mkdir ${this.folderOf(name)}`;
      await $`ip -netns ${hub} link add port${at} type veth peer name wire netns ${own}`.quiet();
      await $`ip -netns ${hub} link set port${at} master switch up`.quiet();
      await $`ip -netns ${own} address add ${this.addressOf(name)}/24 dev wire`.quiet();
      await $`ip -netns ${own} link set lo up`.quiet();
      await $`ip -netns ${own} link set wire up`.quiet();
    }
  }

  async #addNamespace(name: string): Promise<void> {
    await $`ip netns add ${name}`.quiet();
    // Its links are deleted with it.
    this.#undo.defer(async () => void (await $`ip netns delete ${name}`.quiet().nothrow()));
  }
}
