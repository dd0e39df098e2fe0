import type { Fault } from "../domain/configuration/history.ts";
import { visibleLine } from "../log.ts";

/** Something that is wrong in a configuration file. The path is empty for the file as a whole. */
export interface SourceFault extends Fault {
  /** Counted from 1. */
  line?: number;
}

/** A configuration file can't be read or applied. The message is one line for each fault. */
export class FileFaults extends Error {
  override readonly name = "FileFaults";

  /** @param faults at least one */
  constructor(readonly faults: readonly SourceFault[]) {
    super(faults.map(faultLine).join("\n"));
  }
}

/** A fault in one line, as commands print it, for example `monitors.shop.enabled (line 12): must be true or false`. */
export function faultLine({ path, message, got, line }: SourceFault): string {
  const at = line === undefined ? "" : `line ${line}`;
  const place = path === "" ? at : path + (at && ` (${at})`);
  const shown = got === undefined ? "" : `, got ${JSON.stringify(got)}`;
  return visibleLine(`${place && `${place}: `}${message}${shown}`);
}
