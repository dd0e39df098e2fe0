import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isLong } from "../../support/long.ts";
import { type EngineUnderTest, engines, recordCalls } from "../../support/store/engines.ts";
import { coveredMethods, type SuiteName } from "./methods.ts";
import { World } from "./world.ts";

/**
 * Runs a suite of the contract against every engine. Each test starts with a new store and one organization.
 *
 * @param name the name of the file, without `.test.ts`
 * @param define defines the tests; `world()` is the one of the current test, and `engine` says what differs on its engine.
 *   `slow` is `test` for what takes long and runs statements that other tests run too: an ordinary run has it on SQLite only
 */
export function contractSuite(
  name: SuiteName,
  define: (world: () => World, engine: EngineUnderTest, slow: ReturnType<typeof test.skipIf>) => void,
): void {
  // Walks commit hundreds of times, and a disk under load takes its time for each.
  setDefaultTimeout(300_000);
  describe.each(engines)(`${name} on $name`, (engine) => {
    const calls = new Set<string>();
    let world: World;

    beforeEach(async () => {
      world = await World.create(await engine.open((store) => recordCalls(store, calls)));
    });

    afterEach(() => world[Symbol.asyncDispose]());

    const slow = test.skipIf(!isLong && engine.name !== "sqlite");
    define(() => world, engine, slow);

    slow("every method that this suite covers was called", () => {
      const covered: string[] = coveredMethods[name].filter((method) => !lacks(engine, method));
      expect(covered.filter((method) => !calls.has(method))).toEqual([]);
    });
  });
}

/** Whether a method always throws on an engine. */
function lacks({ backsUp }: EngineUnderTest, method: string): boolean {
  return method === "backUp" && !backsUp;
}
