import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { runToEnd, sh, startJobServer, startRun, startUnreadRun } from "../support/product/reported-run.ts";
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

describe("behavior 18.42: the output is forwarded unchanged", () => {
  test("10 MB of bytes of any kind, on both outputs", async () => {
    const file = join(dir.path, "random");
    writeFileSync(file, crypto.getRandomValues(new Uint8Array(65_536)));
    const many = sh('for i in $(seq 160); do cat "$1"; done; exec cat "$1" >&2', file);
    const child = startRun(many, { url: jobs.url });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).bytes(),
      new Response(child.stderr).bytes(),
    ]);
    const block = readFileSync(file);
    expect(Buffer.from(stderr).equals(block)).toBe(true);
    expect(Buffer.from(stdout).equals(Buffer.concat(Array<Buffer>(160).fill(block)))).toBe(true);
    expect(await child.exited).toBe(0);
  });

  test("as it comes", async () => {
    const go = join(dir.path, "go");
    const waiting = sh('printf first; until [ -e "$1" ]; do sleep 0.05; done; printf second', go);
    const child = startRun(waiting, { url: jobs.url });
    const reader = child.stdout.getReader();
    const decoder = new TextDecoder();
    expect(decoder.decode((await reader.read()).value)).toBe("first");
    writeFileSync(go, "");
    expect(decoder.decode((await reader.read()).value)).toBe("second");
    expect(await child.exited).toBe(0);
  });

  test("in order, if both outputs are the same", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `${index % 3 === 0 ? "e" : "o"}${index}`);
    const all = sh(lines.map((line) => `echo ${line}${line.startsWith("e") ? " >&2" : ""}`).join("\n"));
    const { stdout, stderr } = await runToEnd(all, { url: jobs.url, under: sh('exec "$@" 2>&1') });
    expect(stdout.toString().trimEnd().split("\n")).toEqual(lines);
    expect(stderr).toBe("");
    expect(jobs.reports.at(-1)?.body).toBe(stdout.toString());
  });

  test("and no faster than it is taken", async () => {
    const count = join(dir.path, "count");
    const many = 'for i in $(seq 40); do head -c 100000 /dev/zero; echo $i >"$1"; done';
    const { child, output } = startUnreadRun(sh(many, count), jobs.url);
    const written = async () =>
      Number(
        await Bun.file(count)
          .text()
          .catch(() => "0"),
      );
    let before = 0;
    await eventually(async () => {
      const last = before;
      await Bun.sleep(300);
      before = await written();
      return before > 0 && before === last;
    });
    // Two pipes and the parts in memory are much less than what the command writes.
    expect(before).toBeLessThan(20);
    expect((await output()).length).toBe(4_000_000);
    expect(await child.exited).toBe(0);
  });

  test("until its reader goes: then the command gets SIGPIPE", async () => {
    const { stdout } = await runToEnd(["yes"], {
      url: jobs.url,
      under: sh('{ "$@"; echo "code $?" >&2; } | head -n 1; exit 0'),
    });
    expect(stdout.toString()).toBe("y\n");
    expect(jobs.reports.at(-1)).toMatchObject({ action: "141" });
  });

  test.skipIf(process.platform !== "linux")("and a full disk ends no job", async () => {
    const { code, stderr } = await runToEnd(sh("echo a; echo b >&2; echo c; exit 3"), {
      url: jobs.url,
      under: sh('exec "$@" >/dev/full'),
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: "b\n" });
    expect(jobs.reports.at(-1)?.body.split("\n").sort()).toEqual(["", "a", "b", "c"]);
  });
});

describe("behavior 18.43: processes that the command leaves do not hold the run", () => {
  test("if they say nothing", async () => {
    const { stdout, code } = await runToEnd(sh("sleep 60 & echo $!"), { url: jobs.url });
    expect(code).toBe(0);
    process.kill(Number(stdout.toString()));
    expect(jobs.reports.at(-1)).toMatchObject({ action: "0", body: stdout.toString() });
  });

  test("if they write for ever", async () => {
    const { code } = await runToEnd(sh("yes & exit 5"), { url: jobs.url });
    expect(code).toBe(5);
  });

  test("if they write for ever, but little at once", async () => {
    const { code } = await runToEnd(sh("while :; do echo x; sleep 0.02; done & exit 5"), { url: jobs.url });
    expect(code).toBe(5);
  });

  test("and all that the command itself has written is forwarded", async () => {
    const { child, output } = startUnreadRun(
      sh("sleep 60 & head -c 100000 /dev/zero; echo $!; exit 6"),
      jobs.url,
    );
    // The report is sent before anybody reads the output.
    await eventually(() => jobs.reports.at(-1)?.action === "6");
    const bytes = await output();
    process.kill(Number(Buffer.from(bytes.subarray(100_000)).toString()));
    expect(await child.exited).toBe(6);
  });
});
