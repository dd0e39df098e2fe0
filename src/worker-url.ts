/**
 * The URL of the entry point of a thread. This file is in the folder of the main file, because the executable resolves all
 * paths from there.
 *
 * @param path relative to `src/`
 */
export function workerUrl(path: string): URL {
  return new URL(path, import.meta.url);
}
