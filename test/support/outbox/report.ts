import type { RunDetails } from "fast-check";

/** @throws Error with the steps that lead to a failure, one on each line, and how to repeat it */
export function report<Steps>(details: RunDetails<[Steps]>): void {
  const { failed, seed, counterexamplePath, counterexample, errorInstance } = details;
  if (!failed) return;
  const [steps, commands] = String(counterexample?.[0] ?? "").split(/ ?\/\*replayPath="(.*)"\*\//);
  const list = (steps ?? "").split(",").map((step, at) => `${at + 1}. ${step}`);
  const settings = { OUTBOX_SEED: seed, OUTBOX_PATH: counterexamplePath, OUTBOX_COMMANDS: commands };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null);
  const repeat = given.map(([name, value]) => `${name}='${value}'`).join(" ");
  const message = (errorInstance as Error | null)?.message;
  throw new Error(
    `${message}\n${list.join("\n")}\nTo repeat: ${repeat} bun test test/runner/deliveries/outbox-model.test.ts`,
    { cause: errorInstance },
  );
}
