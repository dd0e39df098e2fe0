import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importFromGatus } from "../../../src/cli/import/gatus.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

/** A folder with some files. */
function folderOf(files: Record<string, string>): TempDir {
  const folder = tempDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  return folder;
}

const endpoints = (name: string) =>
  `endpoints:\n  - {name: ${name}, url: "https://a.example.com", conditions: ["[STATUS] == 200"]}\n`;

test("behavior 16.110: a folder is read with its folders, without other files and without those of Kubernetes", async () => {
  using folder = folderOf({
    "a.yaml": endpoints("a"),
    "team/b.yml": endpoints("b"),
    "..data/c.yaml": endpoints("c"),
    "notes.txt": "text",
  });
  const { document } = await importFromGatus(folder.path, { withSecrets: false });
  expect(Object.keys(document.monitors ?? {})).toEqual(["a", "b"]);
});

test("behavior 16.110: what two files define is an error that names it", async () => {
  using folder = folderOf({ "a.yaml": "metrics: true", "b.yaml": `metrics: true\n${endpoints("a")}` });
  await expect(importFromGatus(folder.path, { withSecrets: false })).rejects.toThrow(
    "metrics is in two files",
  );
});

test("a file that is not YAML is an error that names its line, and a folder without files is an error", async () => {
  using folder = folderOf({ "a.yaml": 'endpoints:\n  - "open' });
  const file = join(folder.path, "a.yaml");
  await expect(importFromGatus(file, { withSecrets: false })).rejects.toThrow(
    `${file}: line 2: the YAML is not valid`,
  );
  using empty = folderOf({});
  await expect(importFromGatus(empty.path, { withSecrets: false })).rejects.toThrow(
    "has no file *.yaml or *.yml",
  );
});
