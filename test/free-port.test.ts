import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { freePort } from "./support/free-port.ts";

test("processes that run at the same time take different ports", async () => {
  const file = fileURLToPath(new URL("./support/free-port.ts", import.meta.url));
  const program = `const { freePort } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(Array.from({ length: 500 }, freePort)));
    await Bun.stdin.text();`;
  const others = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, "-e", program], { stdin: "pipe", stdout: "pipe" }),
  );
  const taken = await Promise.all(
    others.map(async ({ stdout }) => {
      const { value } = await stdout.getReader().read();
      return new Set<number>(JSON.parse(new TextDecoder().decode(value)));
    }),
  );
  taken.push(new Set(Array.from({ length: 500 }, freePort)));
  for (const { stdin } of others) stdin.end();
  const all = taken.flatMap((ports) => [...ports]);
  expect(new Set(all).size).toBe(all.length);
  expect(await Promise.all(others.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
});
