import { existsSync } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { type Imported, parsedJson } from "../../import/imported.ts";
import { historyStart, type KumaData, readBackup } from "../../import/kuma/fields.ts";
import { importKuma } from "../../import/kuma/import-kuma.ts";
import { MAX_MONITORS, readKumaDatabase } from "../../store/import/kuma-database.ts";
import type { ImportOptions } from "../import.ts";
import { unreadable } from "./source.ts";

/**
 * Imports the database of Uptime Kuma, its data folder, or its JSON backup.
 *
 * @throws AppError `refused` if it is none of them
 */
export async function importFromKuma(path: string, options: ImportOptions): Promise<Imported> {
  const data = await readKuma(path, options.now).catch((error) => {
    throw unreadable(path, error);
  });
  return importKuma(data, options);
}

async function readKuma(path: string, now: number): Promise<KumaData> {
  const info = await stat(path);
  if (info.isDirectory()) return readKuma(await databaseIn(path), now);
  if (!info.isFile()) throw new AppError("refused", `${path} is not a file`);
  if (await isDatabase(path))
    return readKumaDatabase(path, { since: historyStart(now), clock: { sleep: Bun.sleep } });
  if (info.size > MAX_BACKUP)
    throw new AppError("refused", `${path} is no database, and larger than ${MAX_BACKUP} bytes`);
  const backup = readBackup(parsedJson(await readFile(path, "utf8")));
  if (!backup)
    throw new AppError("refused", `${path} is neither a database nor a JSON backup of Uptime Kuma`);
  const { length } = backup.monitors;
  if (length > MAX_MONITORS)
    throw new AppError("refused", `${path} has ${length} monitors: at most ${MAX_MONITORS} are read`);
  return backup;
}

/** Bytes of the largest JSON backup that is read. */
const MAX_BACKUP = 64 * 1024 * 1024;

/** The database in the data folder of Uptime Kuma, which says there if it uses another one. */
async function databaseIn(folder: string): Promise<string> {
  const settings = parsedJson(await readFile(join(folder, "db-config.json"), "utf8").catch(() => ""));
  const { type } = (settings ?? {}) as { type?: unknown };
  if (typeof type === "string" && type !== "sqlite")
    throw new AppError(
      "refused",
      `${folder} has no SQLite database: Uptime Kuma uses ${type.slice(0, 40)}, which import can't read`,
    );
  const database = join(folder, "kuma.db");
  if (existsSync(database)) return database;
  throw new AppError("refused", `${folder} has no file kuma.db: give the data folder of Uptime Kuma`);
}

const MAGIC = "SQLite format 3\0";

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === MAGIC;
  } finally {
    await file.close();
  }
}
