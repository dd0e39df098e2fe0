import { Database as Sqlite } from "bun:sqlite";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Product = "gatus" | "healthchecks" | "kuma";

/** Files in the forms in which each product publishes or exports them. A new file is tested as it is. */
const FOLDER = "test/fixtures/import";

export const publishedFiles: readonly { product: Product; file: string }[] = (
  ["gatus", "healthchecks", "kuma"] as const
).flatMap((product) => readdirSync(join(FOLDER, product)).map((file) => ({ product, file })));

/**
 * Copies a file into a folder. SQL becomes the database that it describes.
 *
 * @returns the name of the copy
 */
export function placeFile({ product, file }: { product: Product; file: string }, folder: string): string {
  const from = join(FOLDER, product, file);
  if (!file.endsWith(".sql")) {
    copyFileSync(from, join(folder, file));
    return file;
  }
  const name = file.replace(/sql$/, "db");
  const database = new Sqlite(join(folder, name), { create: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run(readFileSync(from, "utf8"));
  database.close();
  return name;
}

/** A value that a server takes for a variable of an imported document, by its name. */
export function valueFor(name: string): string {
  const token = createHash("md5").update(name).digest("hex");
  if (name.endsWith("_TO")) return "ops@example.com";
  if (!name.endsWith("_URL")) return token;
  return name.startsWith("DISCORD")
    ? `https://discord.com/api/webhooks/1/${token}`
    : `https://hooks.slack.com/services/${token}`;
}
