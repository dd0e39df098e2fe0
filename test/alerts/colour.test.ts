import { expect, test } from "bun:test";
import { colours } from "../../src/domain/alerts/alert-event.ts";

test.each(Object.entries(colours))("the colour of group %s is that of the page", async (group, colour) => {
  const styles: string[] = [];
  for await (const path of new Bun.Glob("src/dashboard/web/**/*.css").scan())
    styles.push(await Bun.file(path).text());
  expect(styles.join("\n")).toContain(`--${group}: light-dark(${colour},`);
});
