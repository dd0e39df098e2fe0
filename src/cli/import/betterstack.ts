import { AppError } from "../../errors.ts";
import { faultOfAnswers, importBetterStack } from "../../import/betterstack/betterstack.ts";
import type { Imported } from "../../import/imported.ts";
import type { ImportOptions } from "../import.ts";
import { readJsonSource } from "./source.ts";

/**
 * Reads a file with answers of the API of Better Stack Uptime (behavior 16.127).
 *
 * @throws AppError `refused` if it has none with monitors or heartbeats
 */
export async function importFromBetterStack(path: string, options: ImportOptions): Promise<Imported> {
  const values = await readJsonSource(path);
  const fault = faultOfAnswers(values);
  const right = "give answers of /api/v2/monitors and /api/v2/heartbeats";
  if (fault !== undefined)
    throw new AppError("refused", `${path} is not from Better Stack: ${fault}; ${right}`);
  return importBetterStack(values, options);
}
