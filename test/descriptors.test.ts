import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

test("behavior 8.18: without free descriptors no thread is started, and the process goes on", async () => {
  const program = fileURLToPath(new URL("./support/product/threads-without-descriptors.ts", import.meta.url));
  const command = ["sh", "-c", 'ulimit -n 200 && exec "$0" "$@"', process.execPath, program];
  const child = Bun.spawn(command, { stderr: "inherit" });
  expect(await new Response(child.stdout).json()).toEqual({
    without: {
      password: "the server has too many connections: try again later",
      provider: "127.0.0.1:1: too few file descriptors are free",
      isCopied: false,
    },
    after: {
      password: "done",
      provider: expect.stringContaining("ECONNREFUSED"),
      isCopied: true,
    },
  });
}, 300_000);
