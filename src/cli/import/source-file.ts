import { createReadStream } from "node:fs";
import { AppError } from "../../errors.ts";

/** Bytes of the largest text of another product that is read. */
export const MAX_SOURCE = 16 * 1024 * 1024;

/** @throws AppError `refused` if the file is too large */
export async function readSource(path: string): Promise<string> {
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
