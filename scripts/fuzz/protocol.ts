import type { Draw } from "../simulator/truth/draw.ts";

/** @property outcome how the check ended, in a few words that many inputs share @property violation what is wrong */
export interface Verdict {
  outcome: string;
  violation: string | undefined;
}

/** The inputs of a protocol, and the rules that must hold for each. They are JSON values, so that they can be kept in files. */
export interface Protocol<Input> {
  /** Outcomes that many inputs must have, so that a run proves something. */
  outcomes: readonly string[];
  draw(draw: Draw): Input;
  /** Runs the product's own code with an input. */
  judge(input: Input): Promise<Verdict>;
  /** Simpler inputs, the simplest first: one of them may break the same rule. */
  simpler(input: Input): Iterable<Input>;
}
