import { readFile, stat } from "node:fs/promises";
import { AppError } from "../../errors.ts";

/** Bytes of the largest text of another product that is read. */
export const LARGEST_SOURCE = 16 * 1024 * 1024;

/** @throws AppError `refused` if the file is too large */
export async function readSource(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > LARGEST_SOURCE) throw new AppError("refused", `${path} is larger than ${LARGEST_SOURCE} bytes`);
  return readFile(path, "utf8");
}
