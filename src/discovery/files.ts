import { existsSync, type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Source, SourceFault } from "../domain/discovery/found.ts";
import { assertFew } from "../domain/discovery/reading.ts";
import { parseGroups, readGroups } from "../domain/discovery/targets.ts";
import { fileReason } from "../system-error.ts";
import { type Bounds, beginRead, parsedJson, type Read, readBytes, whyNot } from "./bounded-answer.ts";

type Groups = ReturnType<typeof parseGroups>;

/** The content of a file. @property hash of its bytes */
interface Parsed {
  hash: string;
  result: Groups | SourceFault;
}

/**
 * Files in the format `file_sd` of Prometheus (behavior 28.53): YAML or JSON.
 *
 * @param pattern a path whose last part may have wildcards
 */
export function createFilesSource(pattern: string, { bounds }: { bounds: Bounds }): Source {
  const directory = dirname(pattern);
  const glob = new Bun.Glob(basename(pattern));
  const known = new Map<string, Parsed>();

  async function readFile(path: string, read: Read): Promise<Groups> {
    const bytes = await readBytes(path, read);
    const hash = String(Bun.hash(bytes));
    const before = known.get(path);
    // An unchanged file is not parsed again, also if it is bad: that can take a second.
    const parsed = before?.hash === hash ? before : { hash, result: await parseFile(path, bytes) };
    known.set(path, parsed);
    if (parsed.result instanceof SourceFault) throw parsed.result;
    return parsed.result;
  }

  async function readAll(read: Read): Promise<Groups> {
    const paths = await pathsIn(directory, glob);
    const present = new Set(paths);
    for (const path of known.keys()) if (!present.has(path)) known.delete(path);
    const groups: Groups = [];
    let targets = 0;
    for (const path of paths) {
      read.signal.throwIfAborted();
      const more = await readFile(path, read);
      groups.push(...more);
      targets += more.reduce((sum, group) => sum + group.targets.length, 0);
      assertFew(groups.length, "groups of targets");
      assertFew(targets, "targets");
    }
    return groups;
  }

  return {
    name: "files",
    async read(signal) {
      const read = beginRead(signal, bounds);
      return readGroups("files", await inTime(readAll(read), read));
    },
    watch: (onChange) => watchDirectory(directory, (name) => isOf(name, glob) && onChange()),
  };
}

/** A file system of a network can stall. */
async function inTime<T>(reading: Promise<T>, read: Read): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new SourceFault(whyNot(undefined, read)));
  read.signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([reading, promise]);
  } finally {
    read.signal.removeEventListener("abort", onAbort);
  }
}

/** In the order of their names. @throws SourceFault if there is none */
async function pathsIn(directory: string, glob: Bun.Glob): Promise<string[]> {
  if (/[*?[{]/.test(directory))
    throw new SourceFault(
      "the pattern must have its wildcards in the name of the file, not in its directory",
    );
  const names = await readdir(directory).catch((error) => {
    throw new SourceFault(`${directory} can't be read: ${fileReason(error)}`);
  });
  const paths = names
    .filter((name) => glob.match(name))
    .toSorted()
    .map((name) => join(directory, name));
  if (paths.length === 0) throw new SourceFault("no file has a name that fits the pattern");
  return paths;
}

async function parseFile(path: string, bytes: Uint8Array): Promise<Groups | SourceFault> {
  try {
    return parseGroups(await valueIn(bytes));
  } catch (error) {
    if (error instanceof SourceFault) return new SourceFault(`${path}: ${error.message}`);
    throw error;
  }
}

/** Bytes of YAML: 10,000 targets fit. A longer text needs many seconds, and a gigabyte of memory. */
const MAX_YAML = 1024 * 1024;

/** JSON is a part of YAML, and many times as fast to read. */
async function valueIn(bytes: Uint8Array): Promise<unknown> {
  const json = parsedJson(bytes, "its content");
  if (json !== undefined) return json;
  if (bytes.length > MAX_YAML) throw new SourceFault("YAML may have at most 1 MiB, and JSON at most 16 MiB");
  const { readYaml } = await import("../configuration-file/yaml.ts");
  const { value, faults } = readYaml(new TextDecoder().decode(bytes));
  const [fault] = faults;
  if (!fault) return value;
  throw new SourceFault(`${fault.line === undefined ? "" : `line ${fault.line}: `}${fault.message}`);
}

/** A ConfigMap of Kubernetes changes by a link whose name begins with two dots. */
function isOf(name: string | null, glob: Bun.Glob): boolean {
  return name === null || name.startsWith("..") || glob.match(name);
}

/** How long a directory that can't be watched is left alone; milliseconds. */
const RETRY = 30_000;

function watchDirectory(directory: string, onEvent: (name: string | null) => void): { stop(): void } {
  let watcher: FSWatcher | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function again(): void {
    watcher?.close();
    clearTimeout(timer);
    timer = setTimeout(begin, RETRY);
  }
  function begin(): void {
    try {
      watcher = watch(directory, (_, name) => {
        // A deleted directory is not watched any more, also if there is another one with its name.
        if (!existsSync(directory)) again();
        onEvent(name);
      }).on("error", again);
    } catch {
      again();
    }
  }
  begin();
  return {
    stop() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
