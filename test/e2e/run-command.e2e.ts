import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_OUTPUT } from "../../src/domain/heartbeats/run-output.ts";
import { PROGRAM, runToEnd, sh, startJobServer } from "../support/product/reported-run.ts";
import { TestServer } from "../support/product/server.ts";
import { tempDir } from "../support/temp-dir.ts";

let dir: ReturnType<typeof tempDir>;
let jobs: ReturnType<typeof startJobServer>;
beforeAll(() => {
  dir = tempDir();
  jobs = startJobServer(() => new Response("OK"));
});
afterAll(() => {
  jobs[Symbol.dispose]();
  dir[Symbol.dispose]();
});

/** Runs a command, and what was reported of it. */
async function reported(command: string[], changes: Partial<Parameters<typeof runToEnd>[1]> = {}) {
  const before = jobs.reports.length;
  const ended = await runToEnd(command, { url: jobs.url, ...changes });
  const reports = jobs.reports.slice(before);
  return { ...ended, stdout: ended.stdout.toString(), reports, end: reports.at(-1) };
}

function script(name: string, text: string, mode = 0o755): string {
  const path = join(dir.path, name);
  writeFileSync(path, text, { mode });
  return path;
}

describe("behavior 18.40: the command runs as it would alone", () => {
  test.each([
    ["0", "exit 0", 0],
    ["3", "exit 3", 3],
    ["255", "exit 255", 255],
    ["that of SIGKILL", "kill -9 $$", 137],
    ["that of SIGTERM", "kill $$", 143],
    ["that of a real-time signal", "kill -36 $$", 164],
  ])("with the exit code %s", async (_, text, code) => {
    const ended = await reported(sh(text));
    expect(ended).toMatchObject({ code, stdout: "", stderr: "", end: { action: `${code}` } });
  });

  test("with its arguments, its input and its environment", async () => {
    const ended = await reported(
      sh('cat; printf "<%s>" "$@"; echo "$MARK$NODE_ENV"', "a b", "--", "--quiet", ""),
      {
        stdin: Buffer.from("given\n"),
        env: { MARK: "é" },
      },
    );
    expect(ended).toMatchObject({ code: 0, stdout: "given\n<a b><--><--quiet><>é\n", stderr: "" });
  });

  test("behavior 18.50: with arguments and variables that are no UTF-8", async () => {
    const under = sh('export V="$(printf "a\\351z")"; exec "$@" "$(printf "%%d\\351\\n.")"');
    const ended = await reported(sh('printf "%s|" "$1" "$V" | od -An -tx1'), { under });
    expect(ended).toMatchObject({ code: 0, stdout: " 25 64 e9 0a 2e 7c 61 e9 7a 7c\n", stderr: "" });
  });

  test("behavior 18.50: under a parent that ignores the ends of its children", async () => {
    const ended = await reported(sh("echo hi; exit 3"), { under: ["env", "--ignore-signal=CHLD"] });
    expect(ended).toMatchObject({ code: 3, stdout: "hi\n", stderr: "", end: { action: "3" } });
  });

  test("behavior 18.51: with its own options, also without -- before it", async () => {
    const job = sh('echo "$@"', "--delete", "--timeout", "soon", "--quiet", "-x");
    const child = Bun.spawn([PROGRAM, "run", "--url", jobs.url, ...job], { stderr: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("--delete --timeout soon --quiet -x\n");
    expect(await child.exited).toBe(0);
  });

  test("with outputs that it can open by their names", async () => {
    const ended = await reported(sh("echo a >/dev/stdout; echo b >/dev/stderr"));
    expect(ended).toMatchObject({ code: 0, stdout: "a\n", stderr: "b\n" });
  });

  test("with a shell if it is a script without an interpreter", async () => {
    const ended = await reported([script("plain", 'echo "plain $1"\nexit 4\n'), "x"]);
    expect(ended).toMatchObject({ code: 4, stdout: "plain x\n", end: { action: "4" } });
  });

  test.each([
    ["a name that nothing has", () => "no-such-command", 127, "there is no such command"],
    ["a path that does not exist", () => join(dir.path, "none"), 127, "there is no such command"],
    ["a file that is no program", () => script("text", "x", 0o644), 126, "permission denied"],
    ["a folder", () => dir.path, 126, "permission denied"],
    [
      "a script without its interpreter",
      () => script("lost", "#!/none/sh\n"),
      127,
      "its interpreter does not exist",
    ],
  ])("or not at all: %s", async (_, name, code, reason) => {
    const message = `stillup: ${name()} can't be started: ${reason}\n`;
    const ended = await reported([name()]);
    expect(ended).toMatchObject({
      code,
      stdout: "",
      stderr: message,
      end: { action: `${code}`, body: message },
    });
    expect(ended.reports.length).toBe(1);
  });
});

describe("behavior 18.41: start and end are reported, with the output", () => {
  test("with one ID for a run, and another for the next", async () => {
    const ids: (string | null)[] = [];
    for (const _ of [1, 2]) {
      const { reports } = await reported(sh("echo done; echo bad >&2; exit 2"));
      expect(reports.map(({ action }) => action)).toEqual(["start", "2"]);
      expect(reports.map(({ body }) => body.split("\n").sort())).toEqual([[""], ["", "bad", "done"]]);
      expect(reports[0]?.rid).toMatch(/^[A-Za-z0-9-]{1,64}$/);
      expect(reports[1]?.rid).toBe(reports[0]?.rid as string);
      ids.push(reports[0]?.rid ?? null);
    }
    expect(ids[0]).not.toBe(ids[1]);
  });

  test.each([
    ["?a=b%20c", "/ping/5ecret-5ecret/start", { a: "b c" }],
    ["/?a=1", "/ping/5ecret-5ecret/start", { a: "1" }],
    ["?rid=mine#part", "/ping/5ecret-5ecret/start", { rid: "mine" }],
  ])("to the URL with its parameters: %s", async (end, path, parameters) => {
    const { reports } = await reported(["true"], { url: `${jobs.url}${end}` });
    const [start] = reports;
    expect(start?.url.pathname).toBe(path);
    expect(Object.fromEntries(start?.url.searchParams ?? [])).toMatchObject(parameters);
    expect(reports.length).toBe(2);
  });

  test("with the end of a long output, in whole characters", async () => {
    const { end } = await reported(
      sh('i=0; while [ $i -lt 4000 ]; do printf "é–😀"; i=$((i+1)); done; printf end'),
    );
    const bytes = Buffer.from(end?.body ?? "");
    expect(bytes.length).toBeWithin(MAX_OUTPUT - 3, MAX_OUTPUT + 1);
    expect(end?.body).not.toContain("\ufffd");
    expect("é–😀".repeat(4000).concat("end")).toEndWith(end?.body ?? "none");
  });

  test("with as much of a binary output as fits", async () => {
    const { end } = await reported(sh("head -c 9999 /dev/zero | tr '\\0' '\\377'; printf end"));
    expect(Buffer.from(end?.body ?? "").length).toBe(MAX_OUTPUT - 1);
    expect(end?.body).toBe(`${"\ufffd".repeat(3332)}end`);
  });

  test("to a server, by the check-in URL and by the ping address", async () => {
    await using server = await TestServer.start();
    const config = { pushToken: "0f8fad5b-d9cb-469f-a165-70867728950e" };
    const monitor = { name: "job", type: "SCHEDULED", config };
    const { id, checkinUrl } = (await server.client.post("/api/v1/monitors", monitor)).body.data;
    const ping = checkinUrl.replace(/\/api\/.*/, `/ping/${config.pushToken}`);
    expect(await reported(sh("echo copied"), { url: checkinUrl })).toMatchObject({ code: 0, stderr: "" });
    expect(await reported(sh("echo broken; exit 9"), { url: ping })).toMatchObject({ code: 9, stderr: "" });
    const { data: runs } = (await server.client.get(`/api/v1/monitors/${id}/runs`)).body;
    expect(runs).toMatchObject([
      { outcome: "failed", exitCode: 9, outputBytes: 7, durationMs: expect.any(Number) },
      { outcome: "ok", exitCode: 0, outputBytes: 7, durationMs: expect.any(Number) },
    ]);
    const { data: results } = (await server.client.get(`/api/v1/monitors/${id}/results`)).body;
    expect(results.map(({ status }: { status: string }) => status)).toEqual(["failed", "ok"]);
  });
});

describe("behavior 18.48: a wrong command line is an error, and no command runs", () => {
  const mark = () => join(dir.path, "mark");
  test.each([
    [["--url", "ftp://up.example.com/5ecret"], "--url must be the check-in URL of a job or its ping address"],
    [["--url", "5ecret"], "--url must be the check-in URL of a job or its ping address"],
    [["--url", "http://localhost/5ecret", "--timeout", "soon"], "--timeout must be a duration of at most 7d"],
    [["--url", "http://localhost/5ecret", "--timeout", "8d"], "--timeout must be a duration of at most 7d"],
    [["--url", "http://localhost/5ecret", "--timeout", "0s"], "--timeout must be a duration of at most 7d"],
    [[], "required option '--url <URL>' not specified"],
  ])("%j", async (options, message) => {
    const args = ["run", ...options, "--", "touch", mark()];
    const child = Bun.spawn([PROGRAM, ...args], { stdout: "pipe", stderr: "pipe" });
    const stderr = await new Response(child.stderr).text();
    expect(await child.exited).toBe(2);
    expect(stderr).toMatch(/^stillup: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("5ecret");
    expect(await Bun.file(mark()).exists()).toBe(false);
  });
});
