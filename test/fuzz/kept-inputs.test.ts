import { expect, test } from "bun:test";
import { readKeptInput } from "../../scripts/fuzz/kept-input.ts";
import { PROTOCOLS } from "../../scripts/fuzz/protocols.ts";

/** Inputs that broke a rule once, in the form that scripts/fuzz/fuzz.ts prints. */
const files = [...new Bun.Glob("*.json").scanSync("test/fixtures/fuzz")].sort();

test.each(files)("the input %s breaks no rule any more", async (file) => {
  const { protocol, input } = await readKeptInput(`test/fixtures/fuzz/${file}`);
  expect(await PROTOCOLS[protocol]?.judge(input)).toMatchObject({ violation: undefined });
});
