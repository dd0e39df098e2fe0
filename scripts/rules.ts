/** Prints each rule of docs/behavior with the tests whose names cite it, and the rules without a test: `bun run rules`. */
import { findTests, readRules } from "../test/support/documentation/rules.ts";

const tests = await findTests();
const rules = await readRules();
for (const { number, text } of rules) {
  console.log(`${number.padEnd(6)}${text}`);
  for (const { file, name } of tests.get(number) ?? []) console.log(`      ${file}  ${name}`);
}
const missing = rules.filter(({ number }) => !tests.has(number)).map(({ number }) => number);
console.log(`\n${rules.length - missing.length} of ${rules.length} rules are in the name of a test.`);
console.log(`Without: ${missing.join(", ")}`);
