import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandsOf, SCHEDULERS } from "../../../src/dashboard/web/monitors/checkin-help.tsx";

const commandOf = (scheduler: (typeof SCHEDULERS)[number], by: string, url: string) =>
  commandsOf(scheduler, url).find((one) => one.by === by)?.text ?? "";

test("behavior 18.67: each scheduler has commands with the URL, those of stillup first", () => {
  const url = "https://up.example.com/api/v1/monitors/x/checkin";
  for (const scheduler of SCHEDULERS)
    for (const { text } of commandsOf(scheduler, url)) expect(text).toContain(url);
  const first = SCHEDULERS.map((scheduler) => commandsOf(scheduler, url)[0]?.by);
  expect(first).toEqual([...Array(4).fill("stillup run"), "PowerShell", "stillup run"]);
  expect(commandsOf("cron", url, "30 2 * * 1-5")[0]?.text).toBe(
    `30 2 * * 1-5 stillup run --url ${url} -- your-job`,
  );
});

/** The part of a command that a shell runs. */
const scripts = {
  cron: (url: string) => ["sh", "-c", commandOf("cron", "curl", url).replace(/^(\S+ ){5}/, "")],
  Kubernetes: (url: string) => ["sh", "-c", afterBar(commandOf("Kubernetes", "curl", url))],
  // As a runner of GitHub does it.
  "GitHub Actions": (url: string) => ["bash", "-e", "-c", afterBar(commandOf("GitHub Actions", "curl", url))],
  Python: (url: string) => ["python3", "-c", `${PYTHON_JOB}\n${commandOf("Python", "Python", url)}`],
};

const PYTHON_JOB = `import subprocess
def your_job(): subprocess.run(["your-job"], check=True)`;

const afterBar = (text: string) => text.slice(text.indexOf("|\n") + 2).replaceAll(/^ {4}/gm, "");

test.each([
  ["cron", 0, ["start", "0"]],
  ["cron", 3, ["start", "3"]],
  ["Kubernetes", 3, ["start", "3"]],
  ["GitHub Actions", 0, ["start", "0"]],
  ["GitHub Actions", 3, ["start", "3"]],
  ["Python", 0, ["start", "0"]],
  ["Python", 3, ["start", "fail"]],
] as const)("behavior 18.67: the command for %s reports the exit code %d", async (scheduler, code, calls) => {
  const called: string[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      called.push(new URL(url).pathname.replace("/checkin/", ""));
      return new Response("{}");
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "job-"));
  try {
    await Bun.write(join(folder, "your-job"), `#!/bin/sh\nexit ${code}\n`);
    chmodSync(join(folder, "your-job"), 0o755);
    const url = `${server.url.origin}/checkin`;
    const env = { PATH: `${folder}:${process.env.PATH}`, CHECKIN: url };
    const job = Bun.spawn(scripts[scheduler](url), { env, stdout: "ignore", stderr: "ignore" });
    const exitCode = await job.exited;
    expect(called).toEqual([...calls]);
    if (scheduler !== "cron") expect(exitCode === 0).toBe(code === 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("behavior 18.67: systemd reports the exit code, and a failure if a signal ended the job", async () => {
  const line = commandOf("systemd", "curl", "URL").split("\n").at(-1) ?? "";
  const [, script = ""] = /^ExecStopPost=\/bin\/sh -c '(.*)'$/.exec(line) ?? [];
  const callOf = async (env: Record<string, string>) => {
    const echoing = script.replace(/curl .* URL/, "echo URL");
    return (await new Response(Bun.spawn(["sh", "-c", echoing], { env }).stdout).text()).trim();
  };
  expect(await callOf({ EXIT_CODE: "exited", EXIT_STATUS: "3" })).toBe("URL/3");
  expect(await callOf({ EXIT_CODE: "killed", EXIT_STATUS: "KILL" })).toBe("URL/fail");
});
