import { fault, type ValuesOf } from "../../domain/faults/fault.ts";
import type { AppError } from "../../errors.ts";
import type { PatternFault } from "../../probes/http/patterns.ts";

/** @property at the name of the field @property isList whether each pattern has a name of its own */
interface Given {
  at: string;
  patterns: string[];
  isList: boolean;
}

/** Whether a config, or the defaults of a document, may have patterns to validate. */
export function hasPatterns(config: unknown): boolean {
  return expectationsIn(config).some(({ expect }) => Object(expect).matches !== undefined);
}

/**
 * Validates the patterns of `expect.matches`, also in its steps: the page has no library for it (behavior 26.134).
 *
 * @param config as a request gives it; what fits no schema is refused elsewhere
 * @throws AppError `invalid` that names the field
 */
export async function confirmPatterns(config: unknown): Promise<void> {
  for (const { at, patterns, isList } of expectationsIn(config).flatMap(givenIn)) {
    const { faultInPatterns } = await import("../../probes/http/patterns.ts");
    const found = await faultInPatterns(patterns);
    if (found?.fault) throw asError(found.fault, isList ? `${at}.${found.at}` : at);
  }
}

function asError({ code, ...values }: PatternFault, field: string): AppError {
  return fault(code, { field, ...values } as ValuesOf<typeof code>);
}

function expectationsIn(config: unknown): { at: string; expect: unknown }[] {
  const { expect, steps } = Object(config) as { expect?: unknown; steps?: unknown };
  const ofSteps = Array.isArray(steps) ? steps : [];
  return [
    { at: "config.expect", expect },
    ...ofSteps.map((step, at) => ({ at: `config.steps.${at}.expect`, expect: Object(step).expect })),
  ];
}

function givenIn({ at, expect }: { at: string; expect: unknown }): Given[] {
  const { matches } = Object(expect) as { matches?: unknown };
  const patterns = [matches].flat();
  if (!patterns.every((one) => typeof one === "string" && one.length <= MOST)) return [];
  return [{ at: `${at}.matches`, patterns: patterns as string[], isList: Array.isArray(matches) }];
}

/** UTF-16 units: twice as many as a pattern may have characters. */
const MOST = 2048;
