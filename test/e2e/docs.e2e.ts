import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { Glob } from "bun";
import { settings } from "../../src/config.ts";
import { type Page, readPages } from "../support/page.ts";
import { Reader } from "../support/reader.ts";

const pages = await readPages();
const README = await Bun.file("README.md").text();

const MARKS =
  /^(run( until it prints| beside(, in the clone)?|, fails with \d+)?|prints(, among others)?|file \S+|tested by \S+|not run: .{10,})$/s;

const followed = pages.filter(
  ({ blocks, followedBy }) => !followedBy && blocks.some(({ mark }) => mark?.startsWith("run")),
);

for (const page of followed) {
  test(`${page.path} does what it says`, async () => {
    await using reader = new Reader();
    await reader.follow(page);
  }, 60_000);
}

test("every block is run, or says why not", () => {
  const unmarked = pages.flatMap(({ path, blocks }) =>
    blocks.filter(({ mark = "" }) => !MARKS.test(mark)).map(({ text }) => `${path}: ${text.split("\n")[0]}`),
  );
  expect(unmarked).toEqual([]);
  expect(pages.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(50);
});

test("a test that a page or a block is left to knows of it", () => {
  for (const { path, blocks, followedBy } of pages) {
    const files = blocks.map(({ mark = "" }) => /^tested by (.*)$/.exec(mark)?.[1]);
    for (const file of [...files, followedBy]) {
      if (file) expect(readFileSync(file, "utf8")).toContain(path);
    }
  }
});

test("every link inside leads somewhere, and every one outside is a URL", () => {
  const broken = pages.flatMap(({ path, links }) =>
    links.filter((link) => !leads(path, link)).map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("every page is reached from docs/README.md, and that from README.md", () => {
  const linked = (from: string) => {
    const page = pages.find(({ path }) => path === from);
    return (page?.links ?? []).map((link) => normalize(join(from, "..", link.replace(/#.*/, ""))));
  };
  expect(linked("README.md")).toContain("docs/README.md");
  const others = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(others.filter((path) => !linked("docs/README.md").includes(path))).toEqual([]);
});

test("what stands in backticks exists: commands, flags, variables, scripts, routes", async () => {
  const program = readFileSync("src/cli/program.ts", "utf8");
  const sources = await allSources();
  const { scripts } = await Bun.file("package.json").json();
  const wrong: string[] = [];
  for (const { path, code } of pages) {
    const missing = (word: string, there: boolean) => there || wrong.push(`${path}: ${word}`);
    for (const text of code) {
      for (const [, command = ""] of text.matchAll(/^stillup ([a-z]+)/g)) {
        missing(text, program.includes(`${command}Command()`) || ["version", "help"].includes(command));
      }
      for (const [variable] of text.matchAll(/\bSTILLUP_\w+/g)) missing(variable, sources.includes(variable));
      for (const [, script = ""] of text.matchAll(/\bbun run ([\w:]+)/g)) missing(text, script in scripts);
      for (const [file] of text.matchAll(/^(scripts|src|test|docs|drizzle)\/[\w./-]*$/g))
        missing(file, existsSync(file));
    }
  }
  expect(wrong).toEqual([]);
});

test("every message in docs/troubleshooting.md is one that the sources have", async () => {
  const sources = (await allSources()).replaceAll(/\$\{[^}]*\}/g, "…");
  const { messages } = troubleshooting();
  expect(messages.filter((message) => !sources.includes(message))).toEqual([]);
  expect(messages.length).toBeGreaterThan(20);
});

test("the table of settings has every setting, as the command line explains it", () => {
  const rows = Object.values(settings).map((setting) => {
    const standard = "default" in setting ? `\`${setting.default}\`` : "";
    return `| \`${setting.flag} ${setting.value}\` | \`${setting.variable}\` | ${standard} | ${setting.help} |`;
  });
  const table = README.split("\n").filter((line) => line.includes("`STILLUP_"));
  expect(table.map((line) => line.replaceAll(/ +/g, " "))).toEqual(
    rows.map((row) => row.replaceAll(/ +/g, " ")),
  );
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

/** The first column of its tables: each message between backticks, `…` being what differs. */
function troubleshooting(): { messages: string[] } {
  const text = readFileSync("docs/troubleshooting.md", "utf8");
  return { messages: [...text.matchAll(/^\| `([^`|]+)`/gm)].map(([, message = ""]) => message) };
}

async function allSources(): Promise<string> {
  const files = [...new Glob("src/**/*.ts").scanSync()];
  return (await Promise.all(files.map((file) => Bun.file(file).text()))).join("\n");
}
