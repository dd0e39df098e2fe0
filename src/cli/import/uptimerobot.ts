import { AppError } from "../../errors.ts";
import type { Imported } from "../../import/imported.ts";
import { faultOfAnswers, importUptimeRobot } from "../../import/uptimerobot/uptimerobot.ts";
import type { ImportOptions } from "../import.ts";
import { readJsonSource } from "./source.ts";

/**
 * Reads a file with answers of the API of UptimeRobot (behavior 16.127).
 *
 * @throws AppError `refused` if it has none with monitors
 */
export async function importFromUptimeRobot(path: string, options: ImportOptions): Promise<Imported> {
  const values = await readJsonSource(path);
  const fault = faultOfAnswers(values);
  const right = "give answers of getMonitors, or of /v3/monitors";
  if (fault !== undefined)
    throw new AppError("refused", `${path} is not from UptimeRobot: ${fault}; ${right}`);
  return importUptimeRobot(values, options);
}
