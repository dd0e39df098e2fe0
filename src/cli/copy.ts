import { Command } from "commander";
import { processSurroundings, UsageError } from "../config.ts";
import { DATABASE_URL_FORM, parseDatabaseUrl } from "../domain/network/database-url.ts";
import type { CopyProgress } from "../store/copy.ts";
import type { Progress, StoreSettings } from "../store/engine.ts";
import { copyStore } from "../store/open-store.ts";
import { configOf, say } from "./options.ts";

export function copyCommand(): Command {
  return new Command("copy")
    .description("copy a database into an empty one, embedded or PostgreSQL, while no server runs on either")
    .requiredOption("--from <DATABASE>", "a data directory, or the URL of a PostgreSQL database")
    .requiredOption("--to <DATABASE>", "the same, without data; a missing directory is created")
    .action(async (given: { from: string; to: string }) => {
      if (given.from === given.to) throw new UsageError("--from and --to must be different databases");
      const [from, to] = [settingsOf("--from", given.from), settingsOf("--to", given.to)];
      const write = (text: string) => process.stderr.write(text);
      const report = createCopyReport(write, processSurroundings().isTerminal);
      const copied = await copyStore({ from, to, now: Date.now() }, report.show).finally(report.end);
      say(`Copied ${rows(copied.rows)} from ${copied.from} to ${copied.to}`);
      if (copied.leftOut > 0)
        say(`Left out ${rows(copied.leftOut)} of changes of a status whose results are damaged`);
    });
}

/** @throws UsageError that does not repeat a URL, because it may contain a password */
function settingsOf(flag: string, text: string): StoreSettings {
  const isUrl = /^\w+:\/\//.test(text);
  if (text === "" || (isUrl && !parseDatabaseUrl(text)))
    throw new UsageError(`${flag} must be the path of a directory, or ${DATABASE_URL_FORM}`);
  // An empty URL takes precedence over the variable.
  return configOf(isUrl ? { databaseUrl: text } : { dataDir: text, databaseUrl: "" });
}

interface CopyReport {
  show(progress: CopyProgress): void;
  /** Ends the bar. */
  end(): void;
}

const WIDTH = 30;

/** From the start of the line to its end, so that the next bar replaces this one. */
const LINE_START = "\r";
const CLEAR_TO_END = "\x1b[K";

/** Shows a bar on a terminal, and elsewhere a line for each table that has rows. */
export function createCopyReport(write: (text: string) => void, isTerminal: boolean): CopyReport {
  return isTerminal ? progressBar(write) : linesOn(write);
}

/** A bar on a terminal, which each change replaces and the end removes. */
export function progressBar(write: (text: string) => void): { show(progress: Progress): void; end(): void } {
  let last = "";
  return {
    show(progress) {
      const text = `${LINE_START}${barOf(progress)}${CLEAR_TO_END}`;
      if (text !== last) write(text);
      last = text;
    },
    end() {
      if (last !== "") write(LINE_START + CLEAR_TO_END);
    },
  };
}

function barOf({ step, share }: Progress): string {
  const full = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${"#".repeat(full)}${" ".repeat(WIDTH - full)}] ${percent} % ${titleOf(step)}`;
}

function linesOn(write: (text: string) => void): CopyReport {
  return {
    show({ step, done, total }) {
      if (done === total && total > 0) write(`${titleOf(step)}: ${rows(total)}\n`);
    },
    end() {},
  };
}

function titleOf(step: string): string {
  return step.replaceAll("_", " ");
}

function rows(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;
}
