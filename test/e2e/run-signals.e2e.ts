import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import {
  isRunning,
  PROGRAM,
  runToEnd,
  Screen,
  sh,
  startJobServer,
  startRun,
  startUnreadRun,
} from "../support/product/reported-run.ts";

let jobs: ReturnType<typeof startJobServer>;
beforeAll(() => {
  jobs = startJobServer(() => new Response("OK"));
});
afterAll(() => jobs[Symbol.dispose]());

/** Starts a run, and waits for its first output. */
async function startReady(script: string) {
  const child = startRun(sh(script), { url: jobs.url });
  const screen = new Screen(child.stdout);
  await eventually(() => screen.text !== "");
  return { child, output: screen.end };
}

const WAIT = "while :; do sleep 0.05; done";

describe("behavior 18.44: signals reach the command", () => {
  test.each(["INT", "TERM", "HUP", "QUIT", "USR1", "USR2"])("SIG%s", async (name) => {
    const { child, output } = await startReady(`trap 'echo got; exit 7' ${name}; echo ready; ${WAIT}`);
    child.kill(`SIG${name}` as "SIGINT");
    expect(await child.exited).toBe(7);
    expect(await output).toBe("ready\ngot\n");
    expect(jobs.reports.at(-1)).toMatchObject({ action: "7", body: "ready\ngot\n" });
  });

  test("and end it if it does nothing about them", async () => {
    const { child } = await startReady(`echo ready; ${WAIT}`);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect(jobs.reports.at(-1)).toMatchObject({ action: "143" });
  });

  test("not those that it was started to ignore", async () => {
    const job = sh(`kill -HUP $$; kill -HUP $PPID; echo alive`);
    const { code, stdout } = await runToEnd(job, { url: jobs.url, under: sh(`trap '' HUP; exec "$@"`) });
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 0, stdout: "alive\n" });
  });

  test("once, if a terminal sends them to all", async () => {
    let screen = "";
    const job = sh(
      `trap 'echo got' INT; echo ready; until [ "$line" = go ]; do read -r line; done; echo end`,
    );
    const args = ["run", "--url", jobs.url, "--", ...job];
    const child = Bun.spawn([PROGRAM, ...args], {
      terminal: {
        data(_, bytes) {
          screen += new TextDecoder().decode(bytes);
        },
      },
    });
    await eventually(() => screen.includes("ready"));
    child.terminal?.write("\x03");
    await eventually(() => screen.includes("got"));
    child.terminal?.write("go\n");
    expect(await child.exited).toBe(0);
    await eventually(() => screen.includes("end"));
    expect(screen.match(/got/g)).toEqual(["got"]);
  });

  test("but stillup itself once the command has ended", async () => {
    const { child } = startUnreadRun(sh("head -c 100000 /dev/zero; exit 8"), jobs.url);
    await eventually(() => jobs.reports.at(-1)?.action === "8");
    // It waits until somebody reads the output.
    child.kill("SIGTERM");
    await child.exited;
    expect(child.signalCode).toBe("SIGTERM");
  });
});

describe("behavior 18.45: a command that takes too long is ended", () => {
  const message = "stillup: the command was ended, because it took longer than 1 s\n";

  test("with what it has started, and is a failure with the code 124", async () => {
    const options = ["--timeout", "1s"];
    const job = sh("echo begun; sh -c 'echo $$; exec sleep 60'; echo never");
    const { code, stdout, stderr } = await runToEnd(job, { url: jobs.url, options });
    const [, pid] = stdout.toString().split("\n");
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({
      code: 124,
      stdout: `begun\n${pid}\n`,
      stderr: message,
    });
    expect(jobs.reports.at(-1)).toMatchObject({ action: "124", body: `begun\n${pid}\n${message}` });
    await eventually(() => !isRunning(Number(pid)));
  });

  test("by SIGKILL 10 seconds later if it goes on, whatever code it would end with", async () => {
    const stubborn = runToEnd(sh("trap '' TERM; while :; do sleep 0.1; done"), {
      url: jobs.url,
      options: ["--timeout", "1s"],
    });
    const tidy = runToEnd(sh("trap 'echo tidied; exit 0' TERM; while :; do sleep 0.1; done"), {
      url: jobs.url,
      options: ["--timeout", "1s"],
    });
    expect(await tidy).toMatchObject({ code: 124, stdout: Buffer.from("tidied\n") });
    expect((await stubborn).code).toBe(124);
  }, 300_000);

  test("and one that is quicker is not", async () => {
    const { code, stderr } = await runToEnd(["true"], { url: jobs.url, options: ["--timeout", "1h30m"] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
