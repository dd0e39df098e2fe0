import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Glob } from "bun";
import { createProgram } from "../../src/cli/program.ts";
import { settings } from "../../src/config.ts";
import { type Page, readPages } from "../support/documentation/page.ts";
import { Reader } from "../support/documentation/reader.ts";
import { isLong } from "../support/long.ts";
import { stillup } from "../support/product/command.ts";

const pages = await readPages();

const MARKS =
  /^(run( until it prints| beside(, in the clone)?|, fails with \d+)?|prints(, among others)?|file \S+|tested by \S+|not run: .{10,})$/s;

/** The pages that are followed with each change: the first that people read, and one in which monitors change their status. */
const SAMPLE = ["README.md", "docs/start.md", "docs/checkins.md"];

const followed = pages.filter(
  ({ path, blocks, followedBy }) =>
    !followedBy && blocks.some(({ mark }) => mark?.startsWith("run")) && (isLong || SAMPLE.includes(path)),
);

for (const page of followed) {
  test(`${page.path} does what it says`, async () => {
    await using reader = new Reader();
    await reader.follow(page);
  }, 300_000);
}

test("every block is run, or says why not", () => {
  const unmarked = pages.flatMap(({ path, blocks }) =>
    blocks.filter(({ mark = "" }) => !MARKS.test(mark)).map(({ text }) => `${path}: ${text.split("\n")[0]}`),
  );
  expect(unmarked).toEqual([]);
  expect(pages.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(50);
});

test("a test that a page or a block refers to contains the path of the page", () => {
  for (const { path, blocks, followedBy } of pages) {
    const files = blocks.map(({ mark = "" }) => /^tested by (.*)$/.exec(mark)?.[1]);
    for (const file of [...files, followedBy]) {
      if (file) expect(readFileSync(file, "utf8")).toContain(path);
    }
  }
});

test("every internal link has a target, and every external one is a URL", () => {
  const broken = pages.flatMap(({ path, links }) =>
    links.filter((link) => !leads(path, link)).map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("docs/README.md or the README of its folder links to every page, and README.md links to docs/README.md", () => {
  const linked = (from: string) => {
    const page = pages.find(({ path }) => path === from);
    return (page?.links ?? []).map((link) => normalize(join(from, "..", link.replace(/#.*/, ""))));
  };
  expect(linked("README.md")).toContain("docs/README.md");
  const others = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(
    others.filter((path) => {
      const contents = ["docs/README.md", join(dirname(path), "README.md")];
      return !contents.some((from) => linked(from).includes(path));
    }),
  ).toEqual([]);
});

test("commands, flags, variables, scripts and files in backticks exist", async () => {
  const { scripts } = await Bun.file("package.json").json();
  const ofCi = (await Bun.file("deploy/ci/stillup-ci").text()).match(/\bSTILLUP_\w+/g) ?? [];
  const variables = new Set<string>([...Object.values(settings).map(({ variable }) => variable), ...ofCi]);
  const wrong: string[] = [];
  for (const { path, code } of pages) {
    const check = (text: string, there: boolean) => there || wrong.push(`${path}: ${text}`);
    for (const text of code) {
      const [line, words = ""] =
        /(?<=^|sudo -u stillup )stillup(?![-\w])((?: [a-z]+\b(?![./]))*).*$/.exec(text) ?? [];
      if (line !== undefined) check(line, await isCommand(words.trim().split(" "), line));
      for (const [variable] of text.matchAll(/\bSTILLUP_\w+/g)) check(variable, variables.has(variable));
      for (const [, script = ""] of text.matchAll(/\bbun run ([\w:]+)/g)) check(text, script in scripts);
      for (const [file] of text.matchAll(/^(scripts|src|test|docs|drizzle)\/[\w./-]*$/g))
        check(file, existsSync(file));
    }
  }
  expect(wrong).toEqual([]);
}, 300_000);

/** Commands of other programs within a sentence, which no test runs, and the reason. */
const NOT_RUN: Record<string, string> = {
  "systemctl status stillup": "needs systemd as the first process; test/release/debian.e2e.ts has one",
  "systemctl stop stillup": "needs systemd as the first process",
  "systemctl reload stillup": "needs systemd as the first process; test/release/debian.e2e.ts has one",
  "systemctl edit stillup": "needs systemd as the first process",
  "journalctl -u stillup": "needs systemd as the first process",
  "journalctl -u stillup-probe": "needs systemd as the first process",
  "powershell.exe -NoProfile -File C:\\jobs\\backup.ps1": "needs Windows",
  "openssl pkey -in client.key": "needs a key with a passphrase, which the reader types",
  "openssl s_client": "is a hint, not a complete command",
  "fuser -v DIR/serve.lock": "needs psmisc",
  "kubectl rollout restart": "needs a cluster",
};

test("this file has the reason why a command of another program within a sentence is not run", () => {
  const programs =
    /^(curl|wget|systemctl|journalctl|openssl|fuser|timedatectl|kubectl|powershell\.exe|apt-get|python3) /;
  const found = pages.flatMap(({ code }) => code.filter((text) => programs.test(text)));
  expect([...new Set(found)].sort()).toEqual(Object.keys(NOT_RUN).sort());
});

test("the sources have every message that a page explains", async () => {
  const known = templatesIn(await allSources());
  const unknown: string[] = [];
  let count = 0;
  for (const { path } of pages.filter(({ path }) => /troubleshooting|channels/.test(path))) {
    for (const message of explainedIn(path)) {
      count++;
      if (!known.some((pattern) => pattern.test(message))) unknown.push(`${path}: ${message}`);
    }
  }
  expect(unknown).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

test("the table of settings has every setting with the text of the help", () => {
  const rows = Object.values(settings).map((setting) => {
    const fallback = "default" in setting ? `\`${setting.default}\`` : "";
    const usage = `${setting.flag} ${setting.value}`.trim();
    return `| \`${usage}\` | \`${setting.variable}\` | ${fallback} | ${setting.help} |`;
  });
  const lines = readFileSync("docs/settings.md", "utf8").split("\n");
  const table = lines.filter((line) => /^\| `--.*`STILLUP_/.test(line));
  expect(table.map((line) => line.replaceAll(/ +/g, " "))).toEqual(
    rows.map((row) => row.replaceAll(/ +/g, " ")),
  );
});

test("docs/commands.md has every command of the help", async () => {
  const { code = [] } = pages.find(({ path }) => path === "docs/commands.md") ?? {};
  const { commands } = await createProgram([]);
  const lines = commands.flatMap((command) => {
    const children = command.commands.filter((child) => child.name() !== "help");
    if (children.length === 0) return [`stillup ${command.name()}`];
    return children.map((child) => `stillup ${command.name()} ${child.name()}`);
  });
  expect(lines.filter((line) => !code.some((text) => `${text} `.startsWith(`${line} `)))).toEqual([]);
  expect(lines.length).toBeGreaterThan(20);
});

test.each([
  ["README.md", 1_100],
  ["SECURITY.md", 300],
  ["CONTRIBUTING.md", 1_200],
  ["docs/trust.md", 1_500],
])("%s has at most %d words", (path, words) => {
  expect(readFileSync(path, "utf8").trim().split(/\s+/).length).toBeLessThanOrEqual(words);
});

function leads(from: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return /^(https|mailto):/.test(link) && URL.canParse(link);
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : normalize(join(from, "..", file));
  if (!existsSync(target)) return false;
  return anchor === undefined || pageAt(target)?.anchors.has(anchor) === true;
}

function pageAt(path: string): Page | undefined {
  return pages.find((page) => page.path === path);
}

/** Whether the help has the command, with all flags of the line. */
async function isCommand(words: string[], line: string): Promise<boolean> {
  const known = words.filter((word) => word !== "");
  if (known[0] === "help") return true;
  const { code, stdout } = await helpOf(known);
  const flags = [...line.matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
  return (
    code === 0 &&
    stdout.includes(`Usage: stillup ${known.join(" ")}`) &&
    flags.every((flag) => stdout.includes(flag))
  );
}

const helps = new Map<string, ReturnType<typeof stillup>>();

/** Runs each command once, because the documents name some of them often. */
function helpOf(words: string[]): ReturnType<typeof stillup> {
  const command = words.join(" ");
  const help = helps.get(command) ?? stillup([...words, "--help"]);
  helps.set(command, help);
  return help;
}

/** The first column of tables of messages, in backticks; `…` replaces variable text. */
function explainedIn(path: string): string[] {
  const tables = readFileSync(path, "utf8")
    .split("\n\n")
    .map((text) => text.trim().split("\n"));
  const rows = tables
    .filter(([head = ""]) => /^\| (Message|`error`) \|/.test(head))
    .flatMap((lines) => lines.slice(2));
  return rows.map((row) => /^\| `([^`|]+)`/.exec(row)?.[1] ?? row);
}

/** Patterns of the string literals in sources, for any filled-in value. Literals with less than 8 fixed letters are left out. */
function templatesIn(sources: string): RegExp[] {
  const code = sources.replaceAll(/^ *(\/?\*|\/\/).*$/gm, "");
  const literals = [...code.matchAll(/`([^`\n]*)`|"([^"\n]*)"/g)].map(
    ([, template, text]) => template ?? text ?? "",
  );
  const parts = literals.map((literal) => literal.split(/\$\{[^}]*\}/));
  return parts
    .filter((fixed) => fixed.join("").replaceAll(/[^a-z]/gi, "").length >= 8)
    .map((fixed) => new RegExp(`^${fixed.map(RegExp.escape).join(".+")}$`));
}

async function allSources(): Promise<string> {
  const files = [...new Glob("src/**/*.{ts,tsx}").scanSync()];
  const script = await Bun.file("scripts/install.sh").text();
  const installer = script.replaceAll(/\$(\w+|\(\w+\))/g, (_, value) => `\${${value}}`);
  return [...(await Promise.all(files.map((file) => Bun.file(file).text()))), installer].join("\n");
}
