import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { processSurroundings } from "../../config.ts";
import { faultLine } from "../../configuration-file/source-fault.ts";
import { readYaml } from "../../configuration-file/yaml.ts";
import { AppError } from "../../errors.ts";
import { importGatus } from "../../import/gatus/gatus.ts";
import { isMap, mergeFiles } from "../../import/gatus/maintenances.ts";
import { withMarkedVariables } from "../../import/gatus/variables.ts";
import type { Imported } from "../../import/imported.ts";
import { fileReason } from "../../system-error.ts";

/**
 * Reads the configuration of Gatus: a file, or all files of a folder (behavior 16.110).
 *
 * @throws AppError `refused` if a file is too large or not valid, or if two files contradict each other
 */
export async function importFromGatus(
  path: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<Imported> {
  const paths = await configurationFiles(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (paths.length === 0) throw new AppError("refused", `${path} has no file *.yaml or *.yml`);
  const values: unknown[] = [];
  for (const one of paths) values.push(await readValue(one));
  const { value, conflicts } = mergeFiles(values);
  const [first] = conflicts;
  if (first)
    throw new AppError("refused", `${first.path} is in two files: Gatus takes only lists and maps in parts`);
  if (!isMap(value) || !ENTRIES.some((name) => hasEntries(Reflect.get(value, name)))) {
    const right = "it has no endpoints, external-endpoints or suites";
    throw new AppError("refused", `${path} is not a configuration of Gatus: ${right}`);
  }
  return importGatus(value, { env: processSurroundings().env, withSecrets });
}

/** The sections of which Gatus needs at least one. */
const ENTRIES = ["endpoints", "external-endpoints", "suites"];

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

async function configurationFiles(path: string): Promise<string[]> {
  return (await stat(path)).isDirectory() ? filesIn(path) : [path];
}

/** In the order in which Gatus reads them. It ignores names with `..`, as Kubernetes has them. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.includes(".."));
  const inOrder = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const paths: string[] = [];
  for (const entry of inOrder) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) paths.push(...(await filesIn(path)));
    else if ([".yaml", ".yml"].includes(extname(entry.name))) paths.push(path);
  }
  return paths;
}

async function readValue(path: string): Promise<unknown> {
  const { value, faults } = readYaml(withMarkedVariables(await readSource(path)));
  const [fault] = faults;
  if (fault) throw new AppError("refused", `${path}: ${faultLine(fault)}`);
  return value;
}

/** Bytes of the largest text of another product that is read. */
export const MAX_SOURCE = 16 * 1024 * 1024;

/** @throws AppError `refused` if the file can't be read or is too large */
export async function readSource(path: string): Promise<string> {
  try {
    return await textOf(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The error of a file as one that names its path as the user wrote it. */
export function unreadable(path: string, error: unknown): unknown {
  const isOfSystem = !(error instanceof AppError) && (error as NodeJS.ErrnoException).code !== undefined;
  return isOfSystem ? new AppError("refused", `${path} can't be read: ${fileReason(error)}`) : error;
}

async function textOf(path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The size of a pipe is 0, so that the bytes are counted.
  for await (const chunk of createReadStream(path)) {
    size += chunk.length;
    if (size > MAX_SOURCE) throw new AppError("refused", `${path} is larger than ${MAX_SOURCE} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
