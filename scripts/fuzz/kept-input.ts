import type { Failure } from "./run-range.ts";

/** An input in a file. @property found what it broke when it was found */
export interface KeptInput {
  protocol: string;
  found: string;
  input: unknown;
}

/** The text of a file that `--input` and test/fuzz/kept-inputs.test.ts replay. */
export function keptText({ protocol, violation, input }: Failure): string {
  const kept: KeptInput = { protocol, found: violation.split("\n")[0] ?? "", input };
  return `${JSON.stringify(kept, null, 2)}\n`;
}

/** @throws Error if the file is no kept input */
export async function readKeptInput(file: string): Promise<KeptInput> {
  const kept = (await Bun.file(file).json()) as Partial<KeptInput>;
  if (typeof kept.protocol !== "string" || kept.input === undefined)
    throw new Error(`${file} must have a protocol and an input`);
  return { protocol: kept.protocol, found: kept.found ?? "", input: kept.input };
}
