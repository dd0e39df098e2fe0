import type { LeftOut } from "./imported.ts";

/** Collects what an importer says about the things that it read; the same only once. */
export interface Report {
  leave(what: string, why: string): void;
  /** A sentence about what was taken over. */
  note(sentence: string): void;
  left(): LeftOut[];
  notes(): string[];
}

export function createReport(): Report {
  const left = new Map<string, LeftOut>();
  const notes = new Set<string>();
  return {
    leave: (what, why) => void left.set(JSON.stringify([what, why]), { what, why }),
    note: (sentence) => void notes.add(sentence),
    left: () => [...left.values()],
    notes: () => [...notes],
  };
}
