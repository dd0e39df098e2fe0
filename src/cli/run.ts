import { Command } from "commander";
import { UsageError } from "../config.ts";
import { formatDuration, parseDuration } from "../domain/duration.ts";
import { visibleLine, writeToErrors } from "../log.ts";
import { Exit } from "./options.ts";
import { type ForwardedOutput, startCommand } from "./run/command.ts";
import { leaveLateEnd, RunReport } from "./run/late-end.ts";
import { OutputTail } from "./run/output-tail.ts";
import { forwardSignals, ignoredSignals, TimeLimit } from "./run/time-limit.ts";

/** The exit code of a command that took too long, as of timeout(1). */
const TIMED_OUT = 124;

/** Milliseconds. A timer of the runtime can't be longer than 24 days. */
const LONGEST = 7 * 24 * 60 * 60 * 1000;

interface RunOptions {
  url: string;
  timeout?: string;
  quiet?: true;
}

export function runCommand(): Command {
  return (
    new Command("run")
      .description("run the command of a job, and report when it starts, how it ends and its output")
      .requiredOption("--url <URL>", "check-in URL of the job, or its ping address")
      .option("--timeout <DURATION>", "end the command after this time, such as 30s, 15m or 1h30m")
      .option("--quiet", "print nothing but the output of the command")
      .argument("<COMMAND...>", "the command with its arguments, best after --")
      // Options after the first word of the command are its own.
      .passThroughOptions()
      .action(run)
  );
}

/**
 * Behavior 18.40 to 18.51.
 *
 * @throws Exit with the exit code of the command; UsageError before it starts
 */
async function run(command: string[], { url, timeout, quiet }: RunOptions): Promise<never> {
  const report = new RunReport(readUrl(url));
  const limit = timeout === undefined ? null : readLimit(timeout);
  const tail = new OutputTail();
  const say = (sentence: string) => {
    if (!quiet) writeToErrors(`stillup: ${visibleLine(sentence)}`);
  };
  const { code, fault, outputs } = await runToEnd(command, {
    limit,
    keep: (chunk) => tail.add(chunk),
    onStart: () => report.start(),
  });
  if (fault !== null) {
    say(fault);
    tail.add(Buffer.from(`stillup: ${fault}\n`));
  }
  const unreported = await report.end(code, tail.bytes());
  await Promise.all(outputs.map(({ written }) => written));
  if (unreported !== null) say(unreported.sentence);
  if (unreported?.late) await leaveLateEnd(unreported.late);
  throw new Exit(code);
}

/** @property fault why stillup ended it, or could not start it; null if it ended by itself @property outputs may still be written */
interface EndedRun {
  code: number;
  fault: string | null;
  outputs: ForwardedOutput[];
}

interface Running {
  limit: number | null;
  keep: (chunk: Uint8Array) => void;
  onStart: () => void;
}

async function runToEnd(command: string[], { limit, keep, onStart }: Running): Promise<EndedRun> {
  const ignored = ignoredSignals();
  let child: Bun.Subprocess | undefined;
  const stopForwarding = forwardSignals(ignored, (signal) => child?.kill(signal));
  const started = startCommand(command, { ignored, keep });
  if ("reason" in started) {
    stopForwarding();
    return { code: started.code, fault: `${command[0]} can't be started: ${started.reason}`, outputs: [] };
  }
  child = started.child;
  onStart();
  const time = limit === null ? null : new TimeLimit(child, limit);
  const code = await child.exited;
  time?.stop();
  stopForwarding();
  const { outputs } = started;
  await Promise.all(outputs.map((output) => output.drain()));
  if (!time?.hasPassed) return { code, fault: null, outputs };
  return {
    code: TIMED_OUT,
    fault: `the command was ended, because it took longer than ${formatDuration(time.length)}`,
    outputs,
  };
}

/** @throws UsageError that does not repeat it */
function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(
    "--url must be the check-in URL of a job or its ping address, which begins with http:// or https://",
  );
}

/** @returns milliseconds @throws UsageError */
function readLimit(text: string): number {
  const length = parseDuration(text);
  if (length !== null && length <= LONGEST) return length;
  throw new UsageError("--timeout must be a duration of at most 7d, such as 30s, 15m or 1h30m");
}
