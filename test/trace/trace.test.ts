import { expect, setDefaultTimeout, test } from "bun:test";
import { instrument, type TracedFunction } from "../../scripts/trace/instrumented.ts";
import { grown, kept, measure } from "../../scripts/trace/trace.ts";
import { isLong } from "../support/long.ts";

setDefaultTimeout(300_000);

const SOURCE = `export const twice = (n: number) => n * 2;
export class Counter {
  #count = 0;
  next() { return [1].map((one) => ({ count: (this.#count += one) })); }
}
export function* all() { yield twice(21); }
`;

test("every function records its calls, and works as before", () => {
  const functions: TracedFunction[] = [];
  const text = instrument("src/counter.ts", SOURCE, functions);
  expect(functions.map(({ line }) => line).toSorted()).toEqual([1, 4, 4, 6]);
  const code = new Bun.Transpiler({ loader: "ts" }).transformSync(text).replaceAll("export ", "");
  const calls: number[] = [];
  const run = new Function("called", `${code}; return [new Counter().next(), [...all()]];`);
  expect(run((number: number) => calls.push(number))).toEqual([[{ count: 1 }], [42]]);
  expect(calls.map((number) => functions[number]?.line)).toEqual([4, 4, 6, 1]);
});

test("a flow that takes more files, or many more moves, is found", () => {
  const figures = { rename: { files: 10, functions: 20, moves: 100 } };
  expect(grown({ rename: { files: 10, functions: 90, moves: 105 } }, figures)).toEqual([]);
  expect(grown({ rename: { files: 11, functions: 20, moves: 100 } }, figures)).toHaveLength(1);
  expect(grown({ rename: { files: 10, functions: 20, moves: 130 } }, figures)).toHaveLength(1);
  expect(grown({}, figures)).toEqual(["rename was not measured"]);
});

test.skipIf(!isLong)("what users do takes no more files than before, and not many more moves", async () => {
  expect(grown(await measure(), kept())).toEqual([]);
});
