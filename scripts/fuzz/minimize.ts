import type { Protocol } from "./protocol.ts";

/** Inputs that are tried at most, before the simplest one so far is good enough. */
const MAX_TRIES = 4000;

/** The same in milliseconds: a process that tries inputs for much longer counts as one that hangs. */
const MAX_TIME = 30_000;

/** Simplifies an input, as long as it breaks the same rule. */
export async function minimized<Input>(
  { judge, simpler }: Protocol<Input>,
  input: Input,
  violation: string,
): Promise<{ input: Input; violation: string }> {
  let found = { input, violation };
  const end = performance.now() + MAX_TIME;
  let tries = 0;
  for (let isSimpler = true; isSimpler; ) {
    isSimpler = false;
    for (const candidate of simpler(found.input)) {
      if (++tries > MAX_TRIES || performance.now() > end) return found;
      const verdict = await judge(candidate);
      if (verdict.violation === undefined || kindOf(verdict.violation) !== kindOf(violation)) continue;
      found = { input: candidate, violation: verdict.violation };
      isSimpler = true;
      break;
    }
  }
  return found;
}

/** The rule that is broken, without what it was broken with. */
export function kindOf(violation: string): string {
  return violation.replace(/[:{"\d].*/s, "").trim();
}
