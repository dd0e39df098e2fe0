import { type Command, Option } from "commander";
import {
  type Config,
  type Flags,
  processSurroundings,
  readConfig,
  type SettingName,
  settings,
} from "../config.ts";
import { AppError } from "../errors.ts";
import { openStore } from "../store/open-store.ts";
import { existingDatabase } from "../store/sqlite/data-dir.ts";
import type { Store } from "../store/store.ts";

/** Gives a command the flags of some settings. */
export function withSettings(command: Command, names: SettingName[]): Command {
  for (const name of names) {
    const { flag, value, help, variable, ...rest } = settings[name];
    const standard = "default" in rest ? `, default ${rest.default}` : "";
    command.addOption(new Option(`${flag} <${value}>`, `${help} (${variable}${standard})`));
  }
  return command;
}

/** @throws UsageError */
export function configOf(flags: Flags): Config {
  return readConfig(flags, processSurroundings());
}

/**
 * Runs something on the database of the data directory, beside a server that may be running.
 *
 * @throws AppError `refused` where there is no database: most likely another directory was meant
 */
export async function withStore<T>(flags: Flags, use: (store: Store) => Promise<T>): Promise<T> {
  existingDatabase(configOf(flags).dataDir);
  return withCreatedStore(flags, use);
}

/** The same, on a database that is made if it is missing. */
export async function withCreatedStore<T>(flags: Flags, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(configOf(flags).dataDir);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

/** @throws AppError `not_found` that names what `use` did not find, where the interface would only say `Not found` */
export async function naming<T>(what: string, id: string, use: Promise<T>): Promise<T> {
  try {
    return await use;
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not_found") throw error;
    throw new AppError("not_found", `there is no ${what} with the ID ${JSON.stringify(id)}`);
  }
}

/** Tells a person what was done; standard output is for what a script reads. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
