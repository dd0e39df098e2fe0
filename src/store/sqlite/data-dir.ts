import { statSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";

/** The name of the database in a data directory. */
export const DATABASE = "stillup.db";

/** The path of the database in a data directory. @throws AppError `refused` if it does not exist */
export function existingDatabase(dataDir: string): string {
  const path = join(dataDir, DATABASE);
  if (!statSync(path, { throwIfNoEntry: false })) throw new AppError("refused", `${path} does not exist`);
  return path;
}
