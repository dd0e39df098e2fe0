import type { DeliberateFault } from "../simulator/deliberate-faults/fault.ts";

/** A fault of the product that inputs must find. @property inputs how many of seed 1 find it @property violation the rule that it breaks */
interface FuzzFault extends Pick<DeliberateFault, "name" | "edits"> {
  protocol: string;
  inputs: number;
  violation: RegExp;
}

export const DELIBERATE_FAULTS: readonly FuzzFault[] = [];

export function deliberateFault(name: string): FuzzFault {
  const fault = DELIBERATE_FAULTS.find((one) => one.name === name);
  const names = DELIBERATE_FAULTS.map((one) => one.name).join(", ");
  if (!fault) throw new Error(`--fault must be one of ${names}, got ${name}`);
  return fault;
}
