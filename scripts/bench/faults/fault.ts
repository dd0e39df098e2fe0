import type { Place, Scene } from "./scene.ts";

/** A fault of the server or of its machine. */
export interface Fault {
  name: string;
  /** How it is caused. */
  method: string;
  /** It disturbs every process of the machine. */
  alone?: true;
  /** Why its figures do not have to be 0. */
  allowed?: string;
  /** Offsets of the clock of the server, beside 0, in milliseconds. */
  offsets?: number[];
  /**
   * Prepares what the server needs around it. What must be undone goes on the stack.
   *
   * @throws CannotRun
   */
  prepare?(folder: string, undo: AsyncDisposableStack): Promise<Partial<Place>>;
  /**
   * Causes the fault and ends it.
   *
   * @param middle must be called once in the middle: targets then go up and down @throws CannotRun if the fault had no effect
   */
  cause(scene: Scene, middle: () => Promise<void>): Promise<void>;
}

/** A fault that this machine or this user can't cause: it has neither passed nor failed. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/** Runs a program that must succeed. @throws CannotRun */
export async function must(...command: string[]): Promise<void> {
  if (!Bun.which(command[0] ?? "")) throw new CannotRun(`${command[0]} is not installed`);
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
  const [message, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new CannotRun(`${command.join(" ")}: ${message.trim() || `exit code ${code}`}`);
}

/** Lets the fault last. @param seconds in all */
export async function last(seconds: number, middle: () => Promise<void>): Promise<void> {
  await Bun.sleep(seconds * 500);
  await middle();
  await Bun.sleep(seconds * 500);
}
