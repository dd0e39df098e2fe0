/** Fails if a schema differs from its committed migrations: `bun run db:generate` was forgotten. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { $ } from "bun";

const engines = [
  { folder: "sqlite", dialect: "sqlite" },
  { folder: "postgres", dialect: "postgresql" },
];

const copies = mkdtempSync(join(tmpdir(), "stillup-drizzle-"));
try {
  await Promise.all(engines.map(compare));
} finally {
  rmSync(copies, { recursive: true });
}

async function compare({ folder, dialect }: (typeof engines)[number]): Promise<void> {
  const copy = join(copies, folder);
  cpSync(join("drizzle", folder), copy, { recursive: true });
  const schema = `./src/store/${folder}/schema.ts`;
  // drizzle-kit accepts only relative paths, and always exits with 0.
  const out = relative(process.cwd(), copy);
  const said =
    await $`drizzle-kit generate --casing snake_case --dialect ${dialect} --schema ${schema} --out ${out} --name drift`
      .quiet()
      .text();
  if (said.includes("No schema changes")) return;
  console.error(said);
  console.error(
    `${schema} differs from the migrations: run \`bun run db:generate ${folder} <what changes>\``,
  );
  process.exitCode = 1;
}
