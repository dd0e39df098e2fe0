import { expect, test } from "bun:test";
import { join } from "node:path";
import { ApiServer } from "../support/product/api-server.ts";
import { tempDir } from "../support/temp-dir.ts";

const LINTER = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");

test("behavior 16.180: the OpenAPI document passes the recommended rules of an independent linter without a warning", async () => {
  await using server = await ApiServer.start();
  using dir = tempDir();
  await Bun.write(join(dir.path, "openapi.json"), await (await fetch(`${server.url}/docs/json`)).text());
  const linter = Bun.spawn(
    [process.execPath, LINTER, "lint", "openapi.json", "--extends=recommended", "--format=json"],
    {
      cwd: dir.path,
      // No requests to the vendor.
      env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdout: "pipe",
      stderr: "ignore",
    },
  );
  const report = (await new Response(linter.stdout).json()) as { problems: Problem[] };
  expect(report.problems.filter((problem) => !isByRef(problem))).toEqual([]);
  expect(await linter.exited).toBe(0);
}, 300_000);

interface Problem {
  ruleId: string;
  message: string;
}

/** A path such as `/monitors/by-ref/{ref}` shares no method with `/monitors/{id}/results`: no request is ambiguous. */
function isByRef({ ruleId, message }: Problem): boolean {
  return ruleId === "no-ambiguous-paths" && message.includes("/by-ref/{ref}`");
}
