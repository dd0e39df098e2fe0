import { processSurroundings, UsageError } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { type Healthchecks, importHealthchecks } from "../../import/healthchecks/healthchecks.ts";
import type { Imported } from "../../import/imported.ts";
import { recordOf } from "../../import/untyped.ts";
import { fetchHealthchecks } from "./healthchecks-api.ts";
import { readSource } from "./source-file.ts";

const KEY = "HEALTHCHECKS_API_KEY";

/**
 * Reads the checks of a project of Healthchecks (behavior 16.118).
 *
 * @param from the address of the server, or the path of a file with an answer of its API
 * @throws AppError `refused` if the server or the file does not have them
 */
export async function importFromHealthchecks(
  from: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<Imported> {
  const answers = /^https?:\/\//i.test(from) ? await fetchAll(from) : await readAnswers(from);
  return importHealthchecks(answers, { withSecrets });
}

function fetchAll(address: string): Promise<Healthchecks> {
  const key = processSurroundings().env[KEY];
  if (!key)
    throw new UsageError(`${KEY} must be the API key of the project: see its settings in Healthchecks`);
  return fetchHealthchecks(address, key);
}

/** The answers of the API, in one object or as a list of checks. */
async function readAnswers(path: string): Promise<Healthchecks> {
  const value = parsed(await readSource(path), path);
  const { checks = Array.isArray(value) ? value : undefined, channels } = recordOf(value);
  if (!Array.isArray(checks))
    throw new AppError("refused", `${path} has no "checks": it must be an answer of /api/v3/checks/`);
  return { checks, channels };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("refused", `${path} is not JSON`);
  }
}
