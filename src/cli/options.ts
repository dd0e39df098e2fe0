import { type Command, Option } from "commander";
import {
  type Config,
  type Flags,
  processSurroundings,
  readConfig,
  type SettingName,
  settings,
  UsageError,
} from "../config.ts";
import { AppError } from "../errors.ts";
import { visible } from "../log.ts";
import { userName } from "../process-user.ts";
import { chosenOrganization } from "../store/accounts/chosen-organization.ts";
import type { Store } from "../store/store.ts";

/** The help of the settings whose text in the table is for several commands. */
type OwnHelp = Partial<Record<SettingName, string>>;

/** For the commands that use the database or the API of a server. */
export const accessHelp: OwnHelp = {
  server: "URL of a server, whose API is used instead of the database",
  keyFile: "file with an API key, for --server",
};

/** Adds the flags of some settings to a command. @param ownHelp what a setting means for this command */
export function withSettings(command: Command, names: SettingName[], ownHelp: OwnHelp = {}): Command {
  for (const name of names) {
    const { flag, value, variable, ...rest } = settings[name];
    const help = ownHelp[name] ?? (name === "dataDir" ? DATA_DIR_HELP : rest.help);
    const fallback = "default" in rest ? `, default ${rest.default}` : "";
    const option = new Option(value ? `${flag} <${value}>` : flag, `${help} (${variable}${fallback})`);
    command.addOption(value ? option : option.preset("true"));
  }
  return command;
}

const DATA_DIR_HELP = "directory of the embedded database";

/** For the commands that create it. */
export const createsDataDir: OwnHelp = { dataDir: `${DATA_DIR_HELP}; it is created if it is missing` };

/** @throws UsageError */
export function configOf(flags: Flags): Config {
  return readConfig(flags, processSurroundings());
}

/**
 * Opens the database, calls `use` and closes the database. A server may run at the same time.
 *
 * @throws AppError `refused` if there is no database: the directory is probably the wrong one
 */
export async function withStore<T>(flags: Flags, use: (store: Store) => Promise<T>): Promise<T> {
  const { openExistingStore } = await import("../store/open-store.ts");
  return closing(await openExistingStore(configOf(flags)), use);
}

/** As `withStore`, but creates a missing database. */
export async function withCreatedStore<T>(flags: Flags, use: (store: Store) => Promise<T>): Promise<T> {
  const { openStore } = await import("../store/open-store.ts");
  return closing(await openStore(configOf(flags)), use);
}

async function closing<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The time of the database in milliseconds since 1970: the clock of this machine may differ. */
export async function timeOf({ changes }: Store): Promise<number> {
  return Math.floor((await changes.readTime()) ?? Date.now());
}

/** Adds the option for the organization that a command is for: see `ownOrganization`. */
export function withOrganization(command: Command): Command {
  return command.option("--org <ID>", "the organization; optional while there is exactly one");
}

/** An option that may be repeated. */
export function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, previous: string[] | undefined) => [
    ...(previous ?? []),
    value,
  ]);
}

/** @throws UsageError for an organization beside a server */
export function assertNoOrganization(org: string | undefined): void {
  if (org !== undefined)
    throw new UsageError("--org must be left out with --server: the key belongs to one organization");
}

/** The ID of the organization that a command is for: see `chosenOrganization`. @param given with `--org` */
export function ownOrganization(
  store: Pick<Store, "organizations">,
  given: string | undefined,
): Promise<string> {
  return chosenOrganization(store, { flag: "--org", given });
}

/**
 * As `withStore`, for a command that changes something: its author is in the audit log (behavior 14.73).
 *
 * @param use gets the time of the database: see `timeOf`
 */
export function withAuthor<T>(
  flags: Flags,
  use: (store: ReturnType<Store["as"]>, now: number) => Promise<T>,
): Promise<T> {
  return withStore(flags, async (store) => {
    const at = await timeOf(store);
    return use(store.as({ actor: { type: "cli", id: null, name: userName() }, address: null, at }), at);
  });
}

/**
 * Replaces the plain `Not found` of the API by a message that names the missing thing.
 *
 * @throws AppError `not_found`, for example `there is no key with the ID "x"`
 */
export async function naming<T>(what: string, id: string, outcome: Promise<T>): Promise<T> {
  try {
    return await outcome;
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not_found") throw error;
    throw new AppError("not_found", `there is no ${what} with the ID ${JSON.stringify(id)}`);
  }
}

/** Prints a sentence for people. Standard output is for scripts (behavior 9.2). */
export function say(sentence: string): void {
  process.stderr.write(`${visible(sentence)}\n`);
}

/** Prints a warning, after the name of the program. */
export function warn(sentence: string): void {
  say(`stillup: ${sentence}`);
}

/** Prints a text that may be long: the process exits after the command, and a pipe takes such a text in parts. */
export function printText(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(visible(text), (error) => (error ? reject(error) : resolve()));
  });
}

export function printJson(value: unknown): void {
  process.stdout.write(`${visible(JSON.stringify(value, null, 2))}\n`);
}

/** Ends a command that has printed all there is to say. */
export class Exit extends Error {
  override readonly name = "Exit";

  constructor(readonly code: number) {
    super(`exit code ${code}`);
  }
}
