import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCronExpression, isTimezone } from "../../src/domain/heartbeats/cron.ts";
import { silentHeartbeat } from "../../src/domain/heartbeats/heartbeat.ts";
import { afterCheckin } from "../../src/domain/heartbeats/reports.ts";
import { parseConfig } from "../../src/domain/monitors/monitor.ts";
import { readPage } from "../support/documentation/page.ts";
import { Binary } from "../support/product/binary.ts";
import { tempDir } from "../support/temp-dir.ts";

const CHECKINS = "docs/checkins.md";
const BACKUP = "docs/backup.md";

/** The blocks that this file tests and that contain a text. They call `backup` in the folder of a test. */
async function blocksWith(path: string, text: string, language?: string) {
  const { blocks } = await readPage(path);
  const own = blocks.filter(
    (block) =>
      block.mark === "tested by test/e2e/docs-jobs.e2e.ts" && (language ?? block.language) === block.language,
  );
  const found = own.filter((block) => block.text.includes(text)).map((block) => block.text);
  if (found.length === 0) throw new Error(`${path} has no block with ${text}`);
  return found;
}

async function blockWith(path: string, text: string, language?: string): Promise<string> {
  return (await blocksWith(path, text, language))[0] ?? "";
}

interface Recorded {
  outcome: string;
  exitCode: number | null;
  durationMs: number | null;
}

/** Runs the command of a scheduler with a job that succeeds and one that fails. @returns their runs, and their exit codes */
async function recordedOf(
  run: (job: { fails: boolean; env: Record<string, string> }) => string,
): Promise<{ runs: Recorded[]; codes: number[] }> {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const monitor = { name: "job", type: "SCHEDULED", config: {} };
  const { id, checkinUrl } = (await client.post("/api/v1/monitors", monitor)).body.data;
  const codes: number[] = [];
  for (const fails of [false, true]) {
    const job = join(binary.folder, "backup");
    writeFileSync(job, `#!/bin/sh\nexit ${fails ? 3 : 0}\n`);
    chmodSync(job, 0o755);
    const env: Record<string, string> = {
      PATH: `${binary.folder}:${process.env.PATH}`,
      HOSTNAME: `backup-${fails}`,
      CHECKIN: checkinUrl,
    };
    const command = run({ fails, env })
      .replaceAll("/usr/local/bin/backup", "./backup")
      .replaceAll("/usr/local/bin/stillup", "./stillup");
    codes.push(await Bun.spawn(["/bin/sh", "-c", command], { cwd: binary.folder, env }).exited);
  }
  const { data } = (await client.get(`/api/v1/monitors/${id}/runs`)).body;
  const results = (await client.get(`/api/v1/monitors/${id}/results`)).body.data;
  expect(results.map(({ status }: { status: string }) => status)).toEqual(["failed", "ok"]);
  return { runs: data.reverse(), codes };
}

/** A run that succeeded and one that failed, each with its start. */
const bothRuns = (failure: number | null) => [
  { outcome: "ok", durationMs: expect.any(Number) },
  { outcome: "failed", exitCode: failure, durationMs: expect.any(Number) },
];

test.each(["stillup run", "CURL="])(
  "the crontab with %s has a schedule and a line that reports the runs of the job",
  async (text) => {
    const lines = (await blockWith(CHECKINS, text, "crontab")).trim().split("\n");
    const variables = lines.filter((line) => /^\w+=/.test(line));
    const [job = "", ...others] = lines.filter((line) => !variables.includes(line));
    expect(others).toEqual([]);
    const [, schedule = "", command = ""] = /^((?:\S+ ){5})(.*)$/.exec(job) ?? [];
    expect(isCronExpression(schedule)).toBe(true);
    // In a crontab, a percent sign ends the line.
    expect(command).not.toContain("%");
    const { runs } = await recordedOf(({ env }) => {
      for (const [, name = "", value = ""] of variables.join("\n").matchAll(/^(\w+)="?(.*?)"?$/gm))
        env[name] ??= value;
      return command;
    });
    expect(runs).toMatchObject(bothRuns(3));
  },
);

test("the service runs the job by stillup", async () => {
  const [, start = ""] = /^ExecStart=(.*)$/m.exec(await blockWith(CHECKINS, "backup.service")) ?? [];
  const { runs, codes } = await recordedOf(() => start);
  expect(runs).toMatchObject(bothRuns(3));
  expect(codes).toEqual([0, 3]);
});

test("the service with curl reports the outcome of the job, however it ended", async () => {
  const block = await blockWith(CHECKINS, "ExecStopPost");
  const [, start = ""] = /^ExecStartPre=-(.*)$/m.exec(block) ?? [];
  const [, stopPost = ""] = /^ExecStopPost=(.*)$/m.exec(block) ?? [];
  // Within a word, systemd replaces only variables in braces.
  expect(start + stopPost).not.toMatch(/\$\{|%/);
  const { runs } = await recordedOf(({ fails, env }) => {
    env.SERVICE_RESULT = fails ? "oom-kill" : "success";
    return `${start}\n${stopPost}`;
  });
  expect(runs).toMatchObject(bothRuns(null));
});

const systemd = Bun.which("systemd-analyze");
const verified = "the units are what systemd takes";
test.skipIf(!systemd)(
  systemd ? verified : `${verified}: NOT RUN, for systemd-analyze is missing`,
  async () => {
    using folder = tempDir();
    const names: string[] = [];
    for (const path of [CHECKINS, BACKUP]) {
      for (const text of await blocksWith(path, "# /etc/systemd/system/")) {
        const [, name = ""] = /^# \/etc\/systemd\/system\/(\S+)/.exec(text) ?? [];
        names.push(join(folder.path, name));
        writeFileSync(join(folder.path, name), text.replace(/\/usr\/local\/bin\/\S+/g, "/bin/true"));
      }
    }
    expect(names.length).toBe(4);
    const child = Bun.spawn(["systemd-analyze", "verify", "--man=no", ...names], { stderr: "pipe" });
    const complaints = (await new Response(child.stderr).text()).split("\n");
    expect(complaints.filter((line) => line.includes(folder.path))).toEqual([]);
    expect(await child.exited).toBe(0);
  },
);

interface Container {
  command: string[];
  args: string[];
}

interface CronJob {
  kind: string;
  spec: {
    schedule: string;
    timeZone: string;
    jobTemplate: {
      spec: { template: { spec: { containers: (Container & { env: { name: string }[] })[] } } };
    };
  };
}

/** The line of a shell for the command of a container, in which Kubernetes replaces variables such as `$(CHECKIN)`. */
function lineOf({ command, args }: Container, env: Record<string, string>): string {
  const words = [...command, ...args].map((word) =>
    word.replace(/\$\((\w+)\)/g, (_, name) => env[name] ?? ""),
  );
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

test("the CronJob reports the runs of the job, and fails if the job failed", async () => {
  const { kind, spec } = Bun.YAML.parse(await blockWith(CHECKINS, "CronJob")) as CronJob;
  expect(kind).toBe("CronJob");
  expect(isCronExpression(spec.schedule) && isTimezone(spec.timeZone)).toBe(true);
  const [container] = spec.jobTemplate.spec.template.spec.containers;
  if (!container) throw new Error("it has no container");
  expect(container.env.map(({ name }) => name)).toEqual(["CHECKIN"]);
  const byCurl = Bun.YAML.parse(await blockWith(CHECKINS, "rid=$HOSTNAME")) as Container;
  for (const one of [container, byCurl]) {
    const { runs, codes } = await recordedOf(({ env }) => lineOf(one, env));
    expect(runs).toMatchObject(bothRuns(3));
    expect(codes).toEqual([0, 3]);
  }
});

test("the GitHub workflow reports the start and the outcome of its steps", async () => {
  const { on, jobs } = Bun.YAML.parse(await blockWith(CHECKINS, "runs-on")) as {
    on: { schedule: { cron: string }[] };
    jobs: {
      backup: {
        env: Record<string, string>;
        steps: { run?: string; if?: string; env?: Record<string, string> }[];
      };
    };
  };
  expect(isCronExpression(on.schedule[0]?.cron ?? "")).toBe(true);
  const { env: own, steps } = jobs.backup;
  expect(Object.keys(own)).toEqual(["CHECKIN", "RID"]);
  const [first, last] = [steps[0], steps.at(-1)];
  expect(last).toMatchObject({ if: "always()", env: { OUTCOME: expect.stringContaining("job.status") } });
  const { runs } = await recordedOf(({ fails, env }) => {
    Object.assign(env, { OUTCOME: fails ? "failure" : "success", RID: `1658821493-${fails ? 2 : 1}` });
    return `${first?.run}\n${last?.run}`;
  });
  expect(runs).toMatchObject(bothRuns(1));
});

test("the GitLab job reports the start and the outcome of its script", async () => {
  const { backup } = Bun.YAML.parse(await blockWith(CHECKINS, "after_script")) as {
    backup: { before_script: string[]; script: string[]; after_script: string[] };
  };
  const { runs } = await recordedOf(({ fails, env }) => {
    Object.assign(env, { CI_JOB_STATUS: fails ? "failed" : "success", CI_JOB_ID: fails ? "2" : "1" });
    return [...backup.before_script, ...backup.after_script].join("\n");
  });
  expect(runs).toMatchObject(bothRuns(1));
});

test("the table of configs says when a job is late", async () => {
  const heard = Date.UTC(2026, 10, 20, 12);
  const rows = (await Bun.file(CHECKINS).text()).matchAll(/^\| `(\{.*\})` \| (.*) \|$/gm);
  const late: [string, number | undefined][] = [];
  for (const [, json = "", words = ""] of rows) {
    const config = parseConfig("SCHEDULED", JSON.parse(json), "enterprise");
    const { deadline } = afterCheckin(silentHeartbeat, config, heard);
    const [, minutes] = /^(\d+) minutes after the last check-in/.exec(words) ?? [];
    if (minutes) expect(deadline).toBe(heard + Number(minutes) * 60_000);
    late.push([json, deadline ?? undefined]);
  }
  expect(late.length).toBe(6);
  // A Friday at noon; the next run is on Monday at 03:00 in Berlin, which is 02:00 UTC.
  expect(late.find(([json]) => json.includes("1-5"))?.[1]).toBe(Date.UTC(2026, 10, 23, 3));
  expect(late.find(([json]) => json.includes("*/10"))?.[1]).toBe(Date.UTC(2026, 10, 20, 12, 11));
});

test("the nightly backup creates a copy, and deletes copies older than two weeks", async () => {
  await using binary = new Binary();
  await binary.serve();
  const script = (await blockWith(BACKUP, "#!/bin/sh"))
    .replaceAll("/var/lib/stillup-backups", join(binary.folder, "backups"))
    .replaceAll("/var/lib/stillup", join(binary.folder, "data"))
    .replaceAll("/usr/local/bin/stillup", join(binary.folder, "stillup"));
  const backups = join(binary.folder, "backups");
  mkdirSync(backups);
  for (const days of [3, 30]) {
    const made = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
    await Bun.spawn(["touch", "-d", made, join(backups, `${days}.db`)]).exited;
  }
  const child = Bun.spawn(["sh", "-c", script], { cwd: binary.folder, stderr: "pipe" });
  expect(await new Response(child.stderr).text()).toContain("Backed up to");
  expect(await child.exited).toBe(0);
  const left = [...new Bun.Glob("*").scanSync(backups)].sort();
  expect(left).toEqual(["3.db", expect.stringMatching(/^stillup-\d{4}-\d\d-\d\d\.db$/)]);
});
