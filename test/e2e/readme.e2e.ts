import { expect, test } from "bun:test";
import { settings } from "../../src/config.ts";
import { Binary } from "../support/binary.ts";

interface Block {
  language: string;
  text: string;
}

/** Seconds between two blocks; whoever reads them takes longer. */
const READING = 0.5;

const README = await Bun.file("README.md").text();

function blocksOf(section: string): Block[] {
  const text = README.split(/^## /m).find((part) => part.startsWith(section)) ?? "";
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", block = ""]) => ({
    language,
    text: block,
  }));
}

/** Each `…` stands for anything. */
function pattern(expected: string): RegExp {
  return new RegExp(`^${expected.trim().split("…").map(RegExp.escape).join(".+")}$`, "s");
}

test("the lines of the five minutes, run as they stand, print what the README says", async () => {
  await using binary = new Binary();
  const server = await binary.serve(["--port", "7070"]);
  expect(server.url).toBe("http://127.0.0.1:7070");

  const blocks = blocksOf("Five minutes");
  const mark = "---8<---";
  const script = blocks
    .filter(({ language }) => language === "sh")
    .map(({ text }) => `${text}\necho '${mark}'\nsleep ${READING}`);
  const shell = Bun.spawn(["bash", "-e", "-c", script.join("\n")], { cwd: binary.folder, stdout: "pipe" });
  const printed = (await new Response(shell.stdout).text()).split(`${mark}\n`);
  expect(await shell.exited).toBe(0);

  let at = -1;
  for (const { language, text } of blocks) {
    if (language === "sh") at++;
    else expect(printed[at]?.trim()).toMatch(pattern(text));
  }
  expect(at).toBeGreaterThan(3);
}, 20_000);

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
