/** Prints which clause of the interface is covered by which tests, as their names say. */
import { clauses, findCoverage } from "../test/support/clauses.ts";

const coverage = await findCoverage();
for (const [clause, title] of clauses) {
  const tests = coverage.get(clause) ?? [];
  console.log(`${clause.padEnd(11)} ${title}${tests.length === 0 ? "  MISSING" : ""}`);
  for (const { file, name } of tests) console.log(`${" ".repeat(12)}${file}  ${name}`);
}
const covered = [...clauses.keys()].filter((clause) => coverage.has(clause)).length;
console.log(`\n${covered} of ${clauses.size} clauses are covered`);
