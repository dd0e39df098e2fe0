import { processSurroundings } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { type Imported, recordOf } from "../../import/imported.ts";
import { importUpptime } from "../../import/upptime/upptime.ts";
import { readYamlSource } from "./source.ts";

/**
 * Reads the configuration of Upptime, `.upptimerc.yml` (behavior 16.123).
 *
 * @throws AppError `refused` if the file is not valid, or is another one
 */
export async function importFromUpptime(
  path: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<Imported> {
  const value = await readYamlSource(path);
  const { sites } = recordOf(value);
  if (!Array.isArray(sites) || sites.length === 0)
    throw new AppError("refused", `${path} is not a configuration of Upptime: it has no sites`);
  return importUpptime(value, { env: processSurroundings().env, withSecrets });
}
