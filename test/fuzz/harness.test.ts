import { expect, setDefaultTimeout, test } from "bun:test";
import { shorter } from "../../scripts/fuzz/bytes/mutate.ts";
import { DELIBERATE_FAULTS, deliberateFault } from "../../scripts/fuzz/deliberate-faults.ts";
import { findFault } from "../../scripts/fuzz/find-faults.ts";
import { QUADRATIC_FAULTS } from "../../scripts/fuzz/growth/deliberate-faults.ts";
import { readKeptInput } from "../../scripts/fuzz/kept-input.ts";
import { minimized } from "../../scripts/fuzz/minimize.ts";
import { PROTOCOLS } from "../../scripts/fuzz/protocols.ts";
import { drawInput } from "../../scripts/fuzz/run-range.ts";
import { edited } from "../../scripts/simulator/deliberate-faults/install.ts";
import { longTest } from "../support/long.ts";

setDefaultTimeout(300_000);

const FAULTS = [...DELIBERATE_FAULTS, ...QUADRATIC_FAULTS];

test.each(FAULTS)("the fault $name replaces text that the product has once", async ({ edits }) => {
  for (const edit of edits) {
    const text = await Bun.file(`src/${edit.file}`).text();
    expect(edited(text, [edit])).not.toBe(text);
  }
});

test("each fault has a name of its own", () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

const run = (program: string, ...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    `scripts/fuzz/${program}.ts`,
    ...args,
  ]);
  return { exitCode, text: `${stdout}${stderr}` };
};

test("a fault of a probe is found, minimized, and printed with the command that repeats it", async () => {
  const fault = ["--fault", "split-line"];
  const found = run(
    "fuzz",
    "--protocol",
    "http",
    "--inputs",
    "1000",
    "--seed",
    "4",
    "--workers",
    "1",
    ...fault,
  );
  expect(found.exitCode).toBe(1);
  const [, index = "", file = ""] =
    /input (\d+) of seed 4: split: .+\n.+--input (.+)\n/.exec(found.text) ?? [];
  const { protocol, input } = await readKeptInput(file);
  const drawn = drawInput(PROTOCOLS[protocol] as never, { protocol, seed: 4, from: 0, to: 1 }, Number(index));
  expect(JSON.stringify(input).length).toBeLessThan(JSON.stringify(drawn).length);
  expect(run("fuzz", "--input", file, ...fault)).toMatchObject({ exitCode: 1 });
  expect(run("fuzz", "--input", file)).toMatchObject({ exitCode: 0 });
});

test("an input is minimized as far as it breaks the same rule", async () => {
  const judge = async (text: string) => {
    const violation = text.includes("ab")
      ? `wrong: ${text}`
      : text.includes("c")
        ? "another rule"
        : undefined;
    return { outcome: "read", violation };
  };
  const protocol = { outcomes: [], draw: () => "", judge, simpler: shorter };
  const input = `${"x".repeat(500)}cab${"y".repeat(500)}`;
  expect(await minimized(protocol, input, `wrong: ${input}`)).toEqual({
    input: "ab",
    violation: "wrong: ab",
  });
});

longTest.each([
  ["endless-body", "hangs: no end within 5 s"],
  ["kept-memory", "too much memory: "],
])("a probe with the fault %s ends the run", async (name, violation) => {
  const { inputs, violation: found } = await findFault(deliberateFault(name));
  expect(found).toStartWith(violation);
  expect(inputs).not.toBeNull();
});

longTest.each(QUADRATIC_FAULTS)("inputs of growing size find that $effect", ({ name, shape }) => {
  const { exitCode, text } = run("growth", "--shape", shape, "--fault", name);
  expect(text).toContain(`FAILED ${shape}`);
  expect(exitCode).toBe(1);
  expect(run("growth", "--shape", shape)).toMatchObject({ exitCode: 0 });
});

test.each([
  [
    "fuzz",
    ["--protocol", "ftp"],
    "--protocol must be one of http, dns, tcp, tls, greetings and all, got ftp",
  ],
  ["growth", ["--fault", "none"], "--fault must be one of trimmed-by-expression"],
])("%s.ts refuses the options %j with exit code 2", (program, args, message) => {
  const { exitCode, text } = run(program, ...args);
  expect(text).toContain(message);
  expect(exitCode).toBe(2);
});
