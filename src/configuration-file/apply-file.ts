import { constants, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { FaultsError } from "../domain/configuration/history.ts";
import { type Origin, parseDocument } from "../domain/configuration/parse-document.ts";
import { fileReason } from "../system-error.ts";
import { MAX_FILE_BYTES, placedFaults, readConfiguration } from "./read.ts";
import { FileFaults } from "./source-fault.ts";

/** For the placeholders in a file. */
type Variables = Record<string, string | undefined>;

/**
 * Reads the configuration file of a server, which must be a regular file (behavior 16.84): to read a FIFO may never end.
 *
 * @throws FileFaults as `readFileBytes`
 */
export async function readRegularFile(file: string): Promise<Uint8Array> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw wrong("the file must be a regular file");
    return await readBytes(handle.createReadStream({ autoClose: false }));
  } catch (error) {
    if (error instanceof FileFaults) throw error;
    throw wrong(`the file can't be read: ${fileReason(error)}`);
  }
}

/** Reads a configuration file, or a pipe (behavior 16.63). @throws FileFaults if it can't be read, or is too large */
export async function readFileBytes(file: string): Promise<Uint8Array> {
  try {
    return await readBytes(createReadStream(file));
  } catch (error) {
    if (error instanceof FileFaults) throw error;
    throw wrong(`the file ${file} can't be read: ${fileReason(error)}`);
  }
}

/** @throws FileFaults if there are too many bytes */
export async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw wrong(`the file must be at most ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Applies what a configuration file contains.
 *
 * @param apply applies the document; it may throw `FaultsError` @param origin whose file it is
 * @throws FileFaults with all faults and their lines; then nothing is applied
 */
export async function applyFile<Result>(
  bytes: Uint8Array,
  variables: Variables,
  apply: (document: unknown) => Promise<Result>,
  origin?: Origin,
): Promise<Result> {
  const read = readConfiguration(decoded(bytes), variables);
  if (read.faults.length > 0) {
    const others = read.value === undefined ? [] : parseDocument(read.value, origin).faults;
    throw new FileFaults(placedFaults(read, others));
  }
  try {
    return await apply(read.value);
  } catch (error) {
    throw error instanceof FaultsError ? new FileFaults(placedFaults(read, error.faults)) : error;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw wrong("the file must be UTF-8");
  }
}

function wrong(message: string): FileFaults {
  return new FileFaults([{ path: "", message }]);
}
