import { environment } from "./command.ts";
import { type LateEnd, sendLate } from "./run-report.ts";

/** The word that lets this program report the end of a run that is over, as in `program.ts`: no command of users. */
const LATE_END = "report-late-end";

/** Bun runs a compiled program from this folder, which exists only for it. */
const COMPILED = "/$bunfs/";

/**
 * Lets a process of its own report the end of a run, so that the caller of `stillup run` does not wait for a server that is away (behavior
 * 18.49). It has nothing that its caller may wait for: no output, terminal or folder.
 */
export async function leaveLateEnd({ url, output }: LateEnd): Promise<void> {
  const program = Bun.main.startsWith(COMPILED) ? [process.execPath] : [process.execPath, Bun.main];
  const child = Bun.spawn([...program, LATE_END], {
    ...{ stdin: "pipe", stdout: "ignore", stderr: "ignore" },
    ...{ detached: true, cwd: "/", env: environment() },
  });
  // The URL is a secret, which the arguments of a process would show.
  child.stdin.write(`${url}\n`);
  child.stdin.write(output);
  await child.stdin.end();
  child.unref();
}

/** Reports what `leaveLateEnd` wrote to the input of this process. */
export async function reportLateEnd(): Promise<void> {
  const given = await Bun.stdin.bytes();
  const line = given.indexOf(10);
  await sendLate({
    url: new TextDecoder().decode(given.subarray(0, line)),
    output: new Uint8Array(given.subarray(line + 1)),
  });
}
