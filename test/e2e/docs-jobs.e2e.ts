import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCronExpression, isTimezone } from "../../src/domain/heartbeats/cron.ts";
import { afterCheckin, silentHeartbeat } from "../../src/domain/heartbeats/heartbeat.ts";
import { parseConfig } from "../../src/domain/monitors/monitor.ts";
import { readPage } from "../support/documentation/page.ts";
import { Binary } from "../support/product/binary.ts";
import { tempDir } from "../support/temp-dir.ts";

const CHECKINS = "docs/checkins.md";
const BACKUP = "docs/backup.md";

/** The blocks that this file tests and that contain a text. They call `backup` in the folder of a test. */
async function blocksWith(path: string, text: string) {
  const { blocks } = await readPage(path);
  const own = blocks.filter(({ mark }) => mark === "tested by test/e2e/docs-jobs.e2e.ts");
  const found = own.filter((block) => block.text.includes(text)).map((block) => block.text);
  if (found.length === 0) throw new Error(`${path} has no block with ${text}`);
  return found;
}

async function blockWith(path: string, text: string): Promise<string> {
  return (await blocksWith(path, text))[0] ?? "";
}

/** Runs the command of a scheduler with a job that succeeds and one that fails. @returns what was recorded */
async function recordedOf(
  run: (job: { fails: boolean; env: Record<string, string> }) => string,
): Promise<string[]> {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  const monitor = { name: "job", type: "SCHEDULED", config: {} };
  const { id, checkinUrl } = (await client.post("/api/v1/monitors", monitor)).body.data;
  for (const fails of [false, true]) {
    const job = join(binary.folder, "backup");
    writeFileSync(job, `#!/bin/sh\nexit ${fails ? 3 : 0}\n`);
    chmodSync(job, 0o755);
    const env: Record<string, string> = { PATH: process.env.PATH ?? "", CHECKIN: checkinUrl };
    const command = run({ fails, env }).replaceAll("/usr/local/bin/backup", "./backup");
    await Bun.spawn(["/bin/sh", "-c", command], { cwd: binary.folder, env }).exited;
  }
  const results = await client.get(`/api/v1/monitors/${id}/results`);
  return results.body.data.map(({ status }: { status: string }) => status).reverse();
}

test("the crontab has a schedule and a line that reports the outcome of the job", async () => {
  const lines = (await blockWith(CHECKINS, "CURL=")).trim().split("\n");
  const variables = lines.filter((line) => /^\w+=/.test(line));
  const [job = "", ...others] = lines.filter((line) => !variables.includes(line));
  expect(others).toEqual([]);
  const [, schedule = "", command = ""] = /^((?:\S+ ){5})(.*)$/.exec(job) ?? [];
  expect(isCronExpression(schedule)).toBe(true);
  // In a crontab, a percent sign ends the line.
  expect(command).not.toContain("%");
  const recorded = await recordedOf(({ env }) => {
    for (const [, name = "", value = ""] of variables.join("\n").matchAll(/^(\w+)="?(.*?)"?$/gm))
      env[name] ??= value;
    return command;
  });
  expect(recorded).toEqual(["ok", "failed"]);
});

test("the service reports the outcome of the job, however it ended", async () => {
  const [, stopPost = ""] = /^ExecStopPost=(.*)$/m.exec(await blockWith(CHECKINS, "ExecStopPost")) ?? [];
  // Within a word, systemd replaces only variables in braces.
  expect(stopPost).not.toMatch(/\$\{|%/);
  const recorded = await recordedOf(({ fails, env }) => {
    env.SERVICE_RESULT = fails ? "oom-kill" : "success";
    return stopPost;
  });
  expect(recorded).toEqual(["ok", "failed"]);
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

interface CronJob {
  kind: string;
  spec: {
    schedule: string;
    timeZone: string;
    jobTemplate: {
      spec: {
        template: { spec: { containers: { command: string[]; args: string[]; env: { name: string }[] }[] } };
      };
    };
  };
}

test("the CronJob reports the outcome of the job, and fails if the job failed", async () => {
  const { kind, spec } = Bun.YAML.parse(await blockWith(CHECKINS, "CronJob")) as CronJob;
  expect(kind).toBe("CronJob");
  expect(isCronExpression(spec.schedule) && isTimezone(spec.timeZone)).toBe(true);
  const [container] = spec.jobTemplate.spec.template.spec.containers;
  expect(container?.command).toEqual(["/bin/sh", "-c"]);
  expect(container?.env.map(({ name }) => name)).toEqual(["CHECKIN"]);
  expect(container?.args.at(-1)?.trim()).toEndWith("[ $s = ok ]");
  expect(await recordedOf(() => container?.args[0] ?? "")).toEqual(["ok", "failed"]);
});

test("the GitHub workflow reports the outcome of the previous steps", async () => {
  const { on, jobs } = Bun.YAML.parse(await blockWith(CHECKINS, "runs-on")) as {
    on: { schedule: { cron: string }[] };
    jobs: { backup: { steps: { run?: string; if?: string; env?: Record<string, string> }[] } };
  };
  expect(isCronExpression(on.schedule[0]?.cron ?? "")).toBe(true);
  const last = jobs.backup.steps.at(-1);
  expect(last).toMatchObject({ if: "always()", env: { OUTCOME: expect.stringContaining("job.status") } });
  const recorded = await recordedOf(({ fails, env }) => {
    env.OUTCOME = fails ? "failure" : "success";
    return last?.run ?? "";
  });
  expect(recorded).toEqual(["ok", "failed"]);
});

test("the GitLab job reports the outcome of its script", async () => {
  const { backup } = Bun.YAML.parse(await blockWith(CHECKINS, "after_script")) as {
    backup: { script: string[]; after_script: string[] };
  };
  const recorded = await recordedOf(({ fails, env }) => {
    env.CI_JOB_STATUS = fails ? "failed" : "success";
    return backup.after_script.join("\n");
  });
  expect(recorded).toEqual(["ok", "failed"]);
});

test("the table of configs says when a job is late", async () => {
  const heard = Date.UTC(2026, 10, 20, 12);
  const rows = (await Bun.file(CHECKINS).text()).matchAll(/^\| `(\{.*\})` \| (.*) \|$/gm);
  const late: [string, number | undefined][] = [];
  for (const [, json = "", words = ""] of rows) {
    const config = parseConfig("SCHEDULED", JSON.parse(json), "enterprise");
    const { deadline } = afterCheckin(silentHeartbeat, config, heard);
    const [, minutes] = /^(\d+) minutes after the last checkin/.exec(words) ?? [];
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
