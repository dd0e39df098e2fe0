import { createDraw, hash } from "../simulator/truth/draw.ts";
import { kindOf, minimized } from "./minimize.ts";
import type { Protocol } from "./protocol.ts";

/** The inputs of a protocol that have these indexes in a seed. */
export interface Range {
  protocol: string;
  seed: number;
  from: number;
  /** Exclusive. */
  to: number;
  /** Replaces the inputs of the seed. */
  input?: unknown;
}

/** An input that breaks a rule, simplified. */
export interface Failure {
  protocol: string;
  index: number;
  violation: string;
  input: unknown;
}

/** @property trace a sum over what happened to each input, which does not depend on their order */
export interface Report {
  outcomes: Record<string, number>;
  failures: Failure[];
  trace: number;
}

/** An input depends on its seed and index alone. */
export function drawInput<Input>({ draw }: Protocol<Input>, { protocol, seed }: Range, index: number): Input {
  return draw(createDraw(`${seed}/${protocol}/${index}`));
}

/**
 * Draws and judges inputs. Of failures that break the same rule, only the first one is minimized and reported.
 *
 * @param onInput called before each input
 */
export async function runRange<Input>(
  protocol: Protocol<Input>,
  range: Range,
  onInput: (index: number) => void = () => {},
): Promise<Report> {
  const report: Report = { outcomes: {}, failures: [], trace: 0 };
  const kinds = new Set<string>();
  for (let index = range.from; index < range.to; index++) {
    onInput(index);
    const input = range.input === undefined ? drawInput(protocol, range, index) : (range.input as Input);
    const { outcome, violation } = await judged(protocol, input);
    report.outcomes[outcome] = (report.outcomes[outcome] ?? 0) + 1;
    report.trace = (report.trace + hash(`${index} ${outcome}`)) % 2 ** 48;
    if (violation === undefined || kinds.has(kindOf(violation))) continue;
    kinds.add(kindOf(violation));
    const simplest = await minimized(
      { ...protocol, judge: (one) => judged(protocol, one) },
      input,
      violation,
    );
    report.failures.push({ protocol: range.protocol, index, ...simplest });
  }
  return report;
}

/** No input may throw. */
export async function judged<Input>({ judge }: Protocol<Input>, input: Input) {
  try {
    return await judge(input);
  } catch (error) {
    return {
      outcome: "thrown",
      violation: `thrown: ${error instanceof Error ? (error.stack ?? error) : error}`,
    };
  }
}
