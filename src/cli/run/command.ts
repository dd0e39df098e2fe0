import { isUtf8 } from "node:buffer";
import { closeSync, existsSync, fstatSync, readFileSync } from "node:fs";
import { fileReason } from "../../system-error.ts";
import { ForwardedOutput } from "./forwarded-output.ts";
import { createPipe, rememberChildren } from "./pipe.ts";

/** A command that runs, and its outputs. */
export interface RunningCommand {
  child: Bun.Subprocess;
  outputs: ForwardedOutput[];
}

/** It could not be started. @property code as in a shell: 127 if there is no such command, else 126 */
export interface NotStarted {
  code: 126 | 127;
  reason: string;
}

/**
 * Starts a command with the input and the environment of this process, and forwards its output.
 *
 * @param ignored the signals that it is to ignore, without `SIG` @param keep is called with each part of the output
 */
export function startCommand(
  command: readonly string[],
  { ignored, keep }: { ignored: readonly string[]; keep: (chunk: Uint8Array) => void },
): RunningCommand | NotStarted {
  const output = createPipe();
  // With one pipe, what it writes to both stays in order.
  const errors = isSameFile() ? output : createPipe();
  rememberChildren();
  try {
    const stdio = { stdin: "inherit", stdout: output.write, stderr: errors.write } as const;
    const child = spawn(prepared(command, ignored), stdio);
    const outputs = [new ForwardedOutput(output.read, 1, keep)];
    if (errors !== output) outputs.push(new ForwardedOutput(errors.read, 2, keep));
    return { child, outputs };
  } catch (error) {
    return notStarted(command[0] ?? "", error as NodeJS.ErrnoException);
  } finally {
    for (const { write } of new Set([output, errors])) closeSync(write);
  }
}

/** Whether standard output and standard error are the same, as in a job of cron. */
function isSameFile(): boolean {
  const [output, errors] = [fstatSync(1), fstatSync(2)];
  return output.dev === errors.dev && output.ino === errors.ino;
}

type Stdio = Pick<Bun.SpawnOptions.OptionsObject<"inherit", number, number>, "stdin" | "stdout" | "stderr">;

function spawn(command: readonly string[], stdio: Stdio): Bun.Subprocess {
  const options = { ...stdio, env: environment() };
  try {
    return Bun.spawn([...command], options);
  } catch (error) {
    const [name = "", ...rest] = command;
    // A script without a first line that names its interpreter is for the shell, as in execvp(3).
    if ((error as NodeJS.ErrnoException).code !== "ENOEXEC") throw error;
    return Bun.spawn(["/bin/sh", Bun.which(name) ?? name, ...rest], options);
  }
}

/**
 * The command as it would run without stillup. Bun resets the signals of a command to their defaults, and has only texts for its
 * arguments and variables: if some are no UTF-8, or signals are to be ignored, a shell passes them on.
 */
function prepared(command: readonly string[], ignored: readonly string[]): readonly string[] {
  const passed = bytesOf("/proc/self/cmdline").slice(-command.length);
  const words = passed.map((word) => (isUtf8(word) ? null : word));
  const variables = bytesOf("/proc/self/environ").filter((one) => !isUtf8(one));
  const exports = variables.flatMap((one) => {
    const end = one.indexOf("=");
    const name = one.subarray(0, end).toString("latin1");
    // A shell has no other names.
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    return [`${name}=${inShell(one.subarray(end + 1))}`, `export ${name}="\${${name}%.}"`];
  });
  const isChanged = words.some((word) => word !== null);
  if (ignored.length === 0 && exports.length === 0 && !isChanged) return command;
  const given = words.map((word, at) => (word ? inShell(word) : `"\${${at + 1}}"`));
  const exact = words.map((word, at) => `"\${${at + 1}${word ? "%." : ""}}"`);
  const script = [
    ...(ignored.length > 0 ? [`trap '' ${ignored.join(" ")}`] : []),
    ...exports,
    ...(isChanged ? [`set -- ${given.join(" ")}`] : []),
    `exec ${exact.join(" ")}`,
  ];
  return ["/bin/sh", "-c", script.join("; "), "sh", ...command];
}

/** Arguments or variables of this process, as the kernel has them: texts that end with a zero byte. */
function bytesOf(path: string): Buffer[] {
  const bytes = readFileSync(path);
  const texts: Buffer[] = [];
  for (let from = 0, to = bytes.indexOf(0); to !== -1; from = to + 1, to = bytes.indexOf(0, from))
    texts.push(bytes.subarray(from, to));
  return texts;
}

/** A word of a shell that has some bytes, and a dot after them, which keeps line breaks at the end. */
function inShell(bytes: Uint8Array): string {
  const octal = [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
  return `"$(printf '%b.' '${octal}')"`;
}

/** The variables with which this process was started: `process.env` also has what the runtime and this program have set. */
export function environment(): Record<string, string> {
  const variables = readFileSync("/proc/self/environ", "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(variables.map((one) => one.split(/=(.*)/s, 2) as [string, string]));
}

function notStarted(name: string, error: NodeJS.ErrnoException): NotStarted {
  if (error.code !== "ENOENT") return { code: 126, reason: fileReason(error) };
  return {
    code: 127,
    reason:
      name.includes("/") && existsSync(name) ? "its interpreter does not exist" : "there is no such command",
  };
}
