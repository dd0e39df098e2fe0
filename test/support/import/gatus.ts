import { expect } from "bun:test";
import { readYaml } from "../../../src/configuration-file/yaml.ts";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import { importGatus } from "../../../src/import/gatus/gatus.ts";
import { withMarkedVariables } from "../../../src/import/gatus/variables.ts";
import type { Imported } from "../../../src/import/imported.ts";
import { type Environment, resolvedValue } from "../../../src/import/output-config.ts";

/** Imports YAML of Gatus, with its secrets, and asserts that what it becomes can be applied. */
export function fromGatus(yaml: string, env: Environment = {}): Imported {
  const { value, faults } = readYaml(withMarkedVariables(yaml));
  expect(faults).toEqual([]);
  const imported = importGatus(value, { env, withSecrets: true });
  expect(parseDocument(resolvedValue(imported.document, env)).faults).toEqual([]);
  return imported;
}

/** The only monitor of an endpoint, and what of it was left out. @param fields YAML in the form `{ … }` */
export function endpoint(fields: string, env: Environment = {}) {
  const { document, omitted } = fromGatus(`endpoints:\n  - ${fields}\n`, env);
  const monitors = Object.values(document.monitors ?? {});
  return {
    monitor: monitors[0],
    others: monitors.slice(1),
    omitted: omitted.map(({ what, why }) => `${what}: ${why}`),
  };
}
