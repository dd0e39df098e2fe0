import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileFaults } from "../../../src/configuration-file/source-fault.ts";
import { FaultsError } from "../../../src/domain/configuration/history.ts";
import { AppError } from "../../../src/errors.ts";
import { createLogger } from "../../../src/log.ts";
import {
  assertConfigurable,
  createServerConfiguration,
} from "../../../src/runner/configuration/server-configuration.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const GOOD = "monitors: {nightly: {type: SCHEDULED, config: {grace: 60}}}\n";
const BAD = "monitors:\n  nightly:\n    type: SCHEDULED\n    config:\n      grace: -1\n      cron: s3cret\n";

let folder: TempDir;
let file: string;
let applied: unknown[];
let logged: string;
/** Effects of applying a document, besides the note. */
let outcome: () => Promise<number>;

beforeEach(() => {
  folder = tempDir();
  file = join(folder.path, "stillup.yaml");
  applied = [];
  logged = "";
  outcome = async () => 1;
});

afterEach(() => folder[Symbol.dispose]());

function create(isDiscoverGiven = false) {
  const log = createLogger({ level: "info" }, (line: string) => (logged += line));
  const apply = (document: unknown) => {
    applied.push(document);
    return outcome();
  };
  return createServerConfiguration({ file, variables: { SECRET: "s3cret" }, apply, log, isDiscoverGiven });
}

function write(text: string): void {
  writeFileSync(file, text);
}

async function faultsOf(step: Promise<unknown>): Promise<string> {
  const error = await step.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(FileFaults);
  return (error as Error).message;
}

describe("the configuration file of a server", () => {
  test("behavior 16.80: is applied at the start, with the placeholders replaced", async () => {
    write("channels: {ops: {type: EMAIL, config: {to: '${SECRET}@example.com'}}}");
    const configuration = create();
    await configuration.start();
    expect(applied).toEqual([{ channels: { ops: { type: "EMAIL", config: { to: "s3cret@example.com" } } } }]);
    expect(configuration.fault()).toBeUndefined();
    expect(logged).toContain('"changes":1');
  });

  test("behavior 16.81: a start fails with all faults if it is missing, no document, or refused by the database", async () => {
    const missing = await faultsOf(create().start());
    expect(missing).toStartWith("the file can't be read: there is no such file or directory");
    write(BAD);
    const lines =
      /^monitors\.nightly\.config\.grace \(line 5\): must be .*\nmonitors\.nightly\.config\.cron \(line 6\): must be /;
    expect(await faultsOf(assertConfigurable({ file, variables: {} }))).toMatch(lines);
    write(GOOD);
    await assertConfigurable({ file, variables: {} });
    outcome = async () => {
      throw new FaultsError([{ path: "monitors.nightly", message: "must not change its type" }]);
    };
    expect(await faultsOf(create().start())).toBe("monitors.nightly (line 1): must not change its type");
    outcome = async () => {
      throw new AppError("invalid", "--config-org must be given");
    };
    expect(await faultsOf(create().start())).toBe("--config-org must be given");
  });

  test("behavior 16.82: a bad one later is logged, and its first fault is shown without values until a good one is applied", async () => {
    write(GOOD);
    const configuration = create();
    await configuration.start();
    write(BAD);
    await configuration.renew();
    expect(applied).toHaveLength(2);
    outcome = async () => {
      throw new FaultsError([
        { path: "monitors.nightly.config.grace", message: "must be a whole number, got -1" },
        { path: "monitors.nightly.config.cron", message: "must be a cron expression", got: "s3cret" },
      ]);
    };
    await configuration.renew();
    expect(configuration.fault()).toBe("monitors.nightly.config.grace (line 5): must be a whole number");
    expect(logged).toContain("the configuration file was not applied");
    expect(logged).toContain("monitors.nightly.config.cron (line 6)");
    outcome = async () => 0;
    await configuration.renew();
    expect(configuration.fault()).toBeUndefined();
  });

  test("behavior 16.82: one that can't be applied because of an internal error says so", async () => {
    write(GOOD);
    const configuration = create();
    outcome = () => Promise.reject(new Error("s3cret detail"));
    await configuration.renew();
    expect(configuration.fault()).toBe("it could not be applied: see the log");
  });

  test("behavior 16.82: several requests are served one after the other, and the newest file is applied last", async () => {
    write("monitors: {}");
    const configuration = create();
    const gate = Promise.withResolvers<number>();
    outcome = () => gate.promise;
    const first = configuration.renew();
    const second = configuration.renew();
    write(GOOD);
    outcome = async () => 1;
    gate.resolve(0);
    await Promise.all([first, second]);
    expect(applied.at(-1)).toEqual({ monitors: { nightly: { type: "SCHEDULED", config: { grace: 60 } } } });
  });
});

describe("behavior 16.84: a configuration file that is no regular file", () => {
  const MESSAGE = "the file must be a regular file";

  test.each([
    ["a FIFO", () => Bun.spawnSync(["mkfifo", file])],
    ["a directory", () => mkdirSync(file)],
    ["a device", () => symlinkSync("/dev/zero", file)],
  ])("is a fault: %s", async (_, create) => {
    create();
    expect(await faultsOf(assertConfigurable({ file, variables: {} }))).toContain(MESSAGE);
  });

  test("does not keep the next reload from reading another one", async () => {
    const configuration = create();
    write(GOOD);
    await configuration.start();
    rmSync(file);
    Bun.spawnSync(["mkfifo", file]);
    await configuration.renew();
    expect(configuration.fault()).toBe(MESSAGE);
    rmSync(file);
    write(GOOD);
    await configuration.renew();
    expect(configuration.fault()).toBeUndefined();
    expect(applied).toHaveLength(2);
  });

  test("may be a link to a regular file", async () => {
    writeFileSync(`${file}.1`, GOOD);
    symlinkSync(`${file}.1`, file);
    await create().start();
    expect(applied).toHaveLength(1);
  });
});

describe("discover in the configuration file of a server", () => {
  const DISCOVER =
    "discover: {http: 'http://sd.example/?token=${SECRET}', grace: 60}\ndefaults: {tags: [a]}\n";
  const parts = {
    discover: { http: "http://sd.example/?token=s3cret", grace: 60 },
    defaults: { tags: ["a"] },
  };

  test("behavior 28.3, 28.6: is validated, left out of what is applied, and handed on with the defaults", async () => {
    write(DISCOVER + GOOD);
    const source = { file, variables: { SECRET: "s3cret" } };
    await assertConfigurable(source);
    const configuration = create();
    expect(configuration.applied()).toEqual({});
    await configuration.start();
    expect(configuration.applied()).toEqual(parts);
    expect(applied).toEqual([
      { defaults: { tags: ["a"] }, monitors: { nightly: { type: "SCHEDULED", config: { grace: 60 } } } },
    ]);
    write(`discover: {docker: {socket: run}}\n${BAD}`);
    expect(await faultsOf(assertConfigurable(source))).toMatch(
      /^discover\.docker\.socket \(line 1\): must be a string: an absolute path.*\nmonitors\.nightly\.config\.grace \(line 6\): /,
    );
    write("discover: {docker: {socket: '${MISSING}'}, http: 's3cret://${SECRET}'}\n");
    const faults = await faultsOf(assertConfigurable(source));
    expect(faults).toContain("needs the environment variable MISSING");
    expect(faults).not.toContain("s3cret");
  });

  test("behavior 28.6: stays as it was if a later file can't be applied, and goes with the file", async () => {
    write(DISCOVER);
    const configuration = create();
    await configuration.start();
    write("discover: {docker: {socket: run}}\n");
    await configuration.renew();
    expect(configuration.fault()).toContain("discover.docker.socket (line 1)");
    expect(configuration.applied()).toEqual(parts);
    outcome = () => Promise.reject(new AppError("invalid", "no"));
    write(GOOD);
    await configuration.renew();
    expect(configuration.applied()).toEqual(parts);
    outcome = async () => 0;
    await configuration.renew();
    expect(configuration.applied()).toEqual({});
  });

  test("behavior 28.4: beside --discover is a fault that says so", async () => {
    write(DISCOVER);
    const twice =
      "discover (line 1): must be left out, or --discover must be: only one of them says where the server reads";
    const source = { file, variables: { SECRET: "a" }, isDiscoverGiven: true };
    expect(await faultsOf(assertConfigurable(source))).toBe(twice);
    const configuration = create(true);
    await configuration.renew();
    expect(configuration.fault()).toBe(twice);
    write(GOOD);
    await configuration.renew();
    expect(configuration.fault()).toBeUndefined();
  });
});
