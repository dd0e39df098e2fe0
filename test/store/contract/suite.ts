import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { engines, recordCalls } from "../../support/store/engines.ts";
import { coveredMethods, type SuiteName } from "./methods.ts";
import { World } from "./world.ts";

/**
 * Runs a suite of the contract against every engine. Each test starts with a new store and one organization.
 *
 * @param name the name of the file, without `.test.ts`
 * @param define defines the tests; `world()` is the one of the current test
 */
export function contractSuite(name: SuiteName, define: (world: () => World) => void): void {
  // Walks commit hundreds of times, and a disk under load takes its time for each.
  setDefaultTimeout(60_000);
  describe.each(engines)(`${name} on $name`, (engine) => {
    const calls = new Set<string>();
    let world: World;

    beforeEach(async () => {
      world = await World.create(await engine.open((store) => recordCalls(store, calls)));
    });

    afterEach(() => world[Symbol.asyncDispose]());

    define(() => world);

    test("every method that this suite covers was called", () => {
      expect(coveredMethods[name].filter((method) => !calls.has(method))).toEqual([]);
    });
  });
}
