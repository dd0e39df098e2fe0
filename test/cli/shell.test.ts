import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { $ } from "bun";
import { createProgram } from "../../src/cli/program.ts";
import {
  allCommands,
  commandTree,
  completions,
  manualPage,
  SHELLS,
} from "../../src/cli/shell/completions.ts";
import { settings } from "../../src/config.ts";
import { tempDir } from "../support/temp-dir.ts";

const tree = commandTree(await createProgram([]));
const nodes = allCommands(tree);

/** The completions that a shell offers after some words. */
async function offered(shell: string, script: string): Promise<string[]> {
  using dir = tempDir();
  const file = join(dir.path, "completion");
  await Bun.write(file, completions[shell as "bash"](tree));
  const printed = await $`${shell} -c ${script} ${file}`.env({ ...process.env, FILE: file }).text();
  return printed
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "")
    .filter(Boolean);
}

/** Types a line and the completion key in a zsh, and prints the line that results. */
const IN_A_TERMINAL = `
  zmodload zsh/zpty
  zpty shell zsh -f -i
  zpty -w shell "PS1= PS2=; stty -echo; autoload -Uz compinit; compinit -u -D; source $FILE"
  zpty -w shell 'show() { print; print -r "LINE<$BUFFER>" }; zle -N show; bindkey "^X" show; print RE""ADY'
  zpty -r -m shell text '*READY*'
  zpty -w -n shell $'stillup orgs create --plan=pro --sub\\t\\x18'
  zpty -r -m shell text '*LINE<*>*'
  print -r -- "$text"
`;

const inBash = (...words: string[]) =>
  offered(
    "bash",
    `source "$FILE"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _stillup; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );

describe("behavior 16.190: the completion", () => {
  test.each([...SHELLS])("of %s names every command and every flag", (shell) => {
    const script = completions[shell](tree);
    for (const { path, options } of nodes) {
      if (path.length > 0) expect(script).toContain(path.join(" "));
      for (const { flag } of options) expect(script).toContain(shell === "fish" ? flag.slice(2) : flag);
    }
  });

  test("of bash offers commands, those of a group, options and files", async () => {
    expect(await inBash("stillup", "ser")).toEqual(["serve"]);
    expect(await inBash("stillup", "orgs", "cr")).toEqual(["create"]);
    expect(await inBash("stillup", "orgs", "create", "--pl")).toEqual(["--plan"]);
    expect(await inBash("stillup", "serve", "--port", "")).toEqual([]);
    expect(await inBash("stillup", "backup", "--data-dir", "/us")).toEqual(["/usr"]);
  });

  test.skipIf(!Bun.which("fish"))("of fish offers commands, those of a group and options", async () => {
    const inFish = (line: string) => offered("fish", `source $FILE; complete -C '${line}'`);
    expect(await inFish("stillup ser")).toEqual(["serve"]);
    expect(await inFish("stillup orgs ")).toEqual(expect.arrayContaining(["create", "list", "update"]));
    expect(await inFish("stillup orgs create --pl")).toEqual(["--plan"]);
    expect(await inFish("stillup orgs create --plan pro --sub")).toEqual(["--subscription"]);
  });

  test.skipIf(!Bun.which("zsh"))(
    "of zsh completes a line in a terminal",
    async () => {
      const printed = (await offered("zsh", IN_A_TERMINAL)).join("\n");
      expect(printed).toContain("LINE<stillup orgs create --plan=pro --subscription >");
    },
    300_000,
  );
});

describe("behavior 16.191: the manual page", () => {
  const page = manualPage(tree, { version: "1.2.3", date: new Date("2027-01-31T00:00:00Z") });
  const text = page.replaceAll("\\-", "-").replaceAll("\\(dq", '"').replaceAll("\\(aq", "'");

  test("describes every command, every flag and every variable", () => {
    expect(text).toStartWith('.TH STILLUP 1 "2027-01-31" "stillup 1.2.3"\n');
    for (const { path, commands, options } of nodes) {
      if (commands.length === 0) expect(text).toContain(`.SS stillup ${path.join(" ")}`);
      for (const { flag } of options) expect(text).toContain(flag);
    }
    for (const { variable, help } of Object.values(settings)) {
      expect(text).toContain(`.B ${variable}\n`);
      expect(text).toContain(help);
    }
  });

  test.skipIf(!Bun.which("groff"))("has no fault that groff warns of", async () => {
    const { stderr, stdout } = await $`groff -man -Tutf8 -ww < ${Buffer.from(page)}`.quiet();
    expect(stderr.toString()).toBe("");
    expect(stdout.toString()).toContain("uptime monitoring in one binary");
  });
});
