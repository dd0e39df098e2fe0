import { afterEach, expect, spyOn, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { stillup } from "../support/product/command.ts";
import { LITTLE } from "../support/product/server.ts";
import { tempDir } from "../support/temp-dir.ts";

const policy = spyOn(Bun.unsafe, "setJITPolicy");

afterEach(() => policy.mockClear());

test("a server compiles what repeats as usual once it has started, and not before", async () => {
  using dir = tempDir();
  const config = { ...readConfig({ port: "0" }, { env: {}, isTerminal: false }), dataDir: dir.path };
  const app = await createApp(config, createLogger({ level: "silent" }), LITTLE);
  expect(policy).not.toHaveBeenCalled();
  await app.start();
  expect(policy.mock.calls).toEqual([[1]]);
  await app.stop();
});

test("each other command compiles what repeats as usual from its beginning", async () => {
  await stillup(["version"]);
  expect(policy.mock.calls).toEqual([[1]]);
});

test("serve leaves that to its server", async () => {
  const { code } = await stillup(["serve", "--port", "none"]);
  expect(code).toBe(2);
  expect(policy).not.toHaveBeenCalled();
});
