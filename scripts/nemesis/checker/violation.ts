import type { Log } from "../log.ts";

export interface Violation {
  /** The rule that is broken, in one word. */
  rule: string;
  message: string;
}

/** A time in the words of a violation. */
export function at({ whole }: Pick<Log, "whole">, time: number): string {
  return seconds(time - whole.from);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
