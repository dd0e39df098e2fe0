import { spyOn } from "bun:test";
import { join } from "node:path";
import { run } from "../../../src/cli/program.ts";
import { engineOfTests } from "../store/engines.ts";
import { tempDir } from "../temp-dir.ts";

/**
 * Runs a command of stillup as `src/main.ts` does, in this process: to start another process for each takes ten times as long.
 * The tests of the compiled binary run it as its users do.
 *
 * @param env more variables of the environment
 */
export async function stillup(args: string[], env: Record<string, string> = {}) {
  const previous = { ...process.env };
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  Object.assign(process.env, env);
  try {
    return { code: await run(args), stdout: stdout.end(), stderr: stderr.end() };
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, previous);
    for (const { end } of [stdout, stderr]) end();
  }
}

/** Keeps what a stream gets until `end`. */
function capture(stream: NodeJS.WriteStream) {
  let text = "";
  const spy = spyOn(stream, "write").mockImplementation(((part: string, done?: () => void) => {
    text += part;
    done?.();
    return true;
  }) as typeof stream.write);
  return {
    end() {
      spy.mockRestore();
      return text;
    },
  };
}

/** A database of the engine of the tests, with a directory of its own, and the commands that use this database. */
export async function commandsOfNewDatabase() {
  const dir = tempDir();
  const data = await engineOfTests().createFor(dir.path);
  return {
    run: (...args: string[]) => stillup([...args, "--data-dir", join(dir.path, "data")], data.env),
    /** Runs a command that succeeds. @returns the JSON on its standard output */
    async printed(...args: string[]) {
      const { code, stdout, stderr } = await this.run(...args);
      if (code !== 0 || stderr !== "") throw new Error(`${args.join(" ")}: ${code}, ${stderr}`);
      return JSON.parse(stdout);
    },
    open: data.open,
    async [Symbol.asyncDispose]() {
      await data.delete();
      dir[Symbol.dispose]();
    },
  };
}
