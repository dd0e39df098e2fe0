import { resolve } from "node:path";
import { plugin } from "bun";
import type { DeliberateFault } from "./fault.ts";

const SOURCE = resolve(import.meta.dir, "../../../src");

/** Loads the product with a fault in this thread. To be called before anything of the product is imported. */
export function installFault({ name, edits }: Pick<DeliberateFault, "name" | "edits">): void {
  const byFile = Map.groupBy(edits, ({ file }) => resolve(SOURCE, file));
  const names = [...byFile.keys()].map((file) => file.replaceAll(/[.\\]/g, "\\$&"));
  plugin({
    name,
    setup(build) {
      build.onLoad({ filter: new RegExp(`^(${names.join("|")})$`) }, async ({ path }) => ({
        contents: edited(await Bun.file(path).text(), byFile.get(path) ?? []),
        loader: "ts",
      }));
    },
  });
}

/** @throws Error if the text of an edit does not occur exactly once, because the product has changed since */
export function edited(text: string, edits: DeliberateFault["edits"]): string {
  return edits.reduce((before, { file, from, to }) => {
    const count = before.split(from).length - 1;
    if (count !== 1) throw new Error(`src/${file} must contain \`${from}\` once, found ${count}`);
    return before.replace(from, () => to);
  }, text);
}
