import { describe, expect, test } from "bun:test";
import { groupsOf } from "../../../src/dashboard/web/alerts/choose-channels.tsx";

const monitor = (name: string, ...tags: string[]) => ({
  id: name,
  name,
  type: "HTTP" as const,
  config: { url: `https://${name}.example.com/`, interval: 60 },
  tags,
});
const all = [monitor("a"), monitor("b", "web"), monitor("c", "db", "web"), monitor("d", "web"), monitor("e")];
const shown = (text: string) =>
  groupsOf(all, text).map(({ tag, monitors }) => `${tag}: ${monitors.map(({ id }) => id).join("")}`);

describe("behavior 16.267: monitors that notify nobody", () => {
  test("are below their first tag, and those without a tag are last", () => {
    expect(shown("")).toEqual(["db: c", "web: bd", ": ae"]);
  });

  test.each([
    [" WEB ", ["db: c", "web: bd"]],
    ["e.example", [": e"]],
    ["nothing", []],
  ])("are found by %j in their name, target or tags", (text, groups) => {
    expect(shown(text)).toEqual(groups);
  });
});
