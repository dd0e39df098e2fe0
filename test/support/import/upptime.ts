import { expect } from "bun:test";
import { readYaml } from "../../../src/configuration-file/yaml.ts";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import type { Imported } from "../../../src/import/imported.ts";
import { type Environment, resolvedValue } from "../../../src/import/output-config.ts";
import { importUpptime } from "../../../src/import/upptime/upptime.ts";

/** Imports a `.upptimerc.yml`, with its secrets, and asserts that what it becomes can be applied. */
export function fromUpptime(yaml: string, env: Environment = {}): Imported {
  const { value, faults } = readYaml(yaml);
  expect(faults).toEqual([]);
  const imported = importUpptime(value, { env, withSecrets: true });
  expect(parseDocument(resolvedValue(imported.document, env)).faults).toEqual([]);
  return imported;
}

/** The only monitor of a site, and what of it was left out. @param fields YAML in the form `{ … }` */
export function site(fields: string, env: Environment = {}) {
  const { document, omitted, notes } = fromUpptime(`sites:\n  - ${fields}\n`, env);
  return {
    monitor: Object.values(document.monitors ?? {})[0],
    omitted: omitted.map(({ what, why }) => `${what}: ${why}`),
    notes: notes.filter((note) => !note.startsWith("notifications of Upptime")),
  };
}
