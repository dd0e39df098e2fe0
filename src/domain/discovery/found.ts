import { oneLine, truncate } from "../truncate.ts";
import type { SourceName } from "./settings.ts";

/** A monitor that a source asks for. @property entry one of `monitors` of a document */
export interface FoundEntry {
  /** With the name of the source, such as `docker/web`. */
  ref: string;
  entry: object;
}

/** The most characters of what a source says in names and messages. */
const MAX_SHOWN = 200;

/** A text of a source in one line, and not longer than one can read. */
export function shownText(text: string): string {
  return truncate(oneLine(text), MAX_SHOWN);
}

/** Something that runs. */
export interface Found {
  /** As people know it: the name of the container, the host, the target. */
  name: string;
  /** Empty if nobody asked for a monitor. */
  entries: FoundEntry[];
  /** Whether it says that it is not to be watched: then it is neither counted nor unwatched. */
  isExcluded: boolean;
  /** One that does not run is never unwatched. */
  isRunning: boolean;
  /** `host` or `host:port`, in lower case, at which it is reached: compared with the targets of monitors. */
  addresses: string[];
  /** `name`, `type` and `config` for a form; null if nothing is known that can be checked. */
  draft: object | null;
}

/**
 * An entry that can't be a monitor.
 *
 * @property entry its ref, whose monitor then stays as it is although no entry has it; or the name of what has it
 * @property message without secrets
 */
export interface EntryFault {
  entry?: string;
  message: string;
}

export interface Reading {
  found: Found[];
  faults: EntryFault[];
}

/** Where what runs is found. */
export interface Source {
  name: SourceName;
  /** @throws SourceFault if it can't be read: then nothing changes */
  read(signal: AbortSignal): Promise<Reading>;
  /** @param onChange called when something may have changed, also without a change */
  watch(onChange: () => void): { stop(): void };
}

/** A source can't be read. The message says why, in words and without secrets. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
}
