import { createReadStream } from "node:fs";
import { faultLine } from "../../configuration-file/source-fault.ts";
import { readYaml } from "../../configuration-file/yaml.ts";
import { AppError } from "../../errors.ts";
import { jsonValues } from "../../import/api-answers.ts";
import { fileReason } from "../../system-error.ts";

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

/**
 * The value of a file of YAML, or of JSON, which is a part of it.
 *
 * @param mark changes the text before it is parsed
 * @throws AppError `refused` that names the file and the line
 */
export async function readYamlSource(
  path: string,
  mark: (text: string) => string = (text) => text,
): Promise<unknown> {
  const { value, faults } = readYaml(mark(await readSource(path)));
  const [fault] = faults;
  if (fault) throw new AppError("refused", `${path}: ${faultLine(fault)}`);
  return value;
}

/**
 * The values of a file of JSON, which may have several, one after another.
 *
 * @throws AppError `refused` that names the file
 */
export async function readJsonSource(path: string): Promise<unknown[]> {
  const values = jsonValues(await readSource(path));
  if (values === undefined) throw new AppError("refused", `${path} is not JSON`);
  return values;
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
