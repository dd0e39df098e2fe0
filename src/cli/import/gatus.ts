import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { processSurroundings } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { namedFiles } from "../../import/gatus/endpoints/access.ts";
import { importGatus } from "../../import/gatus/gatus.ts";
import { isMap, mergeFiles } from "../../import/gatus/maintenances.ts";
import { withMarkedVariables } from "../../import/gatus/variables.ts";
import type { Imported } from "../../import/imported.ts";
import { fileReason } from "../../system-error.ts";
import { readYamlSource, unreadable } from "./source.ts";

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
  for (const one of paths) values.push(await readYamlSource(one, withMarkedVariables));
  const { value, conflicts } = mergeFiles(values);
  const [first] = conflicts;
  if (first)
    throw new AppError("refused", `${first.path} is in two files: Gatus takes only lists and maps in parts`);
  if (!isMap(value) || !ENTRIES.some((name) => hasEntries(Reflect.get(value, name)))) {
    const right = "it has no endpoints, external-endpoints or suites";
    throw new AppError("refused", `${path} is not a configuration of Gatus: ${right}`);
  }
  const { env } = processSurroundings();
  const folder = (await stat(path)).isDirectory() ? path : dirname(path);
  const files = new Map<string, string | { why: string }>();
  for (const one of namedFiles(value, env)) files.set(one, await readPem(resolve(folder, one)));
  return importGatus(value, { env, files, withSecrets });
}

/** Bytes of a chain of certificates. */
const MAX_PEM = 65_536;

async function readPem(path: string): Promise<string | { why: string }> {
  try {
    const info = await stat(path);
    if (!info.isFile()) return { why: "it is not a file" };
    return info.size > MAX_PEM ? { why: `it is larger than ${MAX_PEM} bytes` } : await readFile(path, "utf8");
  } catch (error) {
    return { why: `it can't be read: ${fileReason(error)}` };
  }
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
