/** Fails if the schema differs from the committed migrations: `bun run db:generate` was forgotten. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { $ } from "bun";

const copy = mkdtempSync(join(tmpdir(), "stillup-drizzle-"));
try {
  cpSync("drizzle", copy, { recursive: true });
  // drizzle-kit accepts only relative paths, and always exits with 0.
  const out = relative(process.cwd(), copy);
  const said =
    await $`drizzle-kit generate --dialect sqlite --schema ./src/store/sqlite/schema.ts --out ${out} --name drift`
      .quiet()
      .text();
  if (!said.includes("No schema changes")) {
    console.error(said);
    console.error(
      "src/store/sqlite/schema.ts differs from the migrations: run `bun run db:generate --name <what changes>`",
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true });
}
