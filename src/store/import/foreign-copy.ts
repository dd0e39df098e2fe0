import { constants } from "node:fs";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { fileReason } from "../../system-error.ts";

/*
 * A copy of the SQLite database of another program, which may write to it meanwhile. The original is only read: SQLite would
 * create files beside it, and take its locks.
 */

/** How often the copy is repeated while the program writes a checkpoint. */
const MAX_ATTEMPTS = 20;

/** Before a further attempt; milliseconds. */
const PAUSE = 250;

/** The files of a database: itself, its log, and the journal of an interrupted transaction. */
const ENDINGS = ["", "-wal", "-journal"];

/**
 * Copies a database with its log into a temporary folder, calls `use` with the path of the copy, and deletes it.
 *
 * @throws AppError `refused` if the program does not let the file rest long enough, or there is no place for a copy
 */
export async function withForeignCopy<T>(
  { path, clock }: { path: string; clock: Pick<Clock, "sleep"> },
  use: (copy: string) => Promise<T> | T,
): Promise<T> {
  const folder = await createFolder(path);
  const copy = join(folder, "copy.db");
  try {
    await copyConsistently({ path, clock }, copy);
    return await use(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws AppError `refused` where no temporary folder can be created, as in a container that may not be written */
async function createFolder(path: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "stillup-import-"));
  } catch (error) {
    throw new AppError(
      "refused",
      `${path} is read from a temporary copy, which can't be created in ${tmpdir()}: ${fileReason(error)}; set TMPDIR to a directory that can be written`,
    );
  }
}

/** Between two equal states of the files, no checkpoint moved pages from the log into the database. */
async function copyConsistently(
  { path, clock }: { path: string; clock: Pick<Clock, "sleep"> },
  copy: string,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await stateOf(path);
    for (const ending of ENDINGS) await copyIfThere(path + ending, copy + ending);
    if ((await stateOf(path)) === before) return;
    await clock.sleep(PAUSE);
  }
  throw new AppError(
    "refused",
    `${path} changes too fast to be copied: stop its program, or give a copy of it`,
  );
}

/**
 * The log may grow meanwhile, because a half-copied transaction at its end is ignored. After a checkpoint it begins again, which
 * its header and the database show.
 */
async function stateOf(path: string): Promise<string> {
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return `${size} ${mtimeNs} ${await headerOf(`${path}-wal`)} ${await headerOf(`${path}-journal`)}`;
}

/** Bytes of the header of a log, with the salts of its frames. */
const HEADER = 32;

async function headerOf(path: string): Promise<string> {
  try {
    return Buffer.from(await Bun.file(path).slice(0, HEADER).arrayBuffer()).toString("hex");
  } catch (error) {
    if (isMissing(error)) return "none";
    throw error;
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    // A copy-on-write file system copies no bytes.
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await rm(to, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
