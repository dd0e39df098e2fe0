import type { Coverage } from "./counts.ts";
import { demanded, IMPOSSIBLE, missing } from "./demanded.ts";

/** The rarest of each section are shown. */
const RAREST = 5;

/** The coverage in lines for a person. */
export function coverageLines(coverage: Coverage): string[] {
  const sections = Object.entries(demanded(coverage)).map(([section, names]) => {
    const seen = names.filter((name) => coverage.has(name));
    const rarest = seen
      .map((name) => ({ name, count: coverage.get(name) ?? 0 }))
      .sort((a, b) => a.count - b.count)
      .slice(0, RAREST)
      .map(({ name, count }) => `${name} (${count})`);
    return `${section}: ${seen.length} of ${names.length}; the rarest: ${rarest.join(" · ")}`;
  });
  const impossible = IMPOSSIBLE.map(({ some, why }) => `not demanded of ${some.join(", ")}: ${why}`);
  return [...sections, ...impossible, ...missing(coverage).map((name) => `never happened: ${name}`)];
}
