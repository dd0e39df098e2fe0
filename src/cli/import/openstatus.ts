import { AppError } from "../../errors.ts";
import type { Imported } from "../../import/imported.ts";
import { readOpenstatus } from "../../import/openstatus/given.ts";
import { importOpenstatus } from "../../import/openstatus/openstatus.ts";
import type { ImportOptions } from "../import.ts";
import { readYamlSource } from "./source.ts";

/**
 * Reads the file of the command line tool of openstatus, or a file with answers of its API (behavior 16.125).
 *
 * @throws AppError `refused` if it is none of them
 */
export async function importFromOpenstatus(path: string, options: ImportOptions): Promise<Imported> {
  const given = readOpenstatus(await readYamlSource(path));
  const right = "give openstatus.yaml, or answers of its API with monitors";
  if (!given) throw new AppError("refused", `${path} is not a file of openstatus: ${right}`);
  return importOpenstatus(given, options);
}
