import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import {
  isRunning,
  type Report,
  runToEnd,
  sh,
  startJobServer,
  startRun,
} from "../support/product/reported-run.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { closedPort, startServer } from "../support/servers/tcp-server.ts";
import { tempDir } from "../support/temp-dir.ts";

const JOB = sh("echo done; exit 4");
const never = () => new Promise<Response>(() => {});

/** Runs the job with a server that answers so. */
async function runWith(answer: (report: Report) => Response | Promise<Response>, options: string[] = []) {
  using jobs = startJobServer(answer);
  const { code, stdout, stderr } = await runToEnd(JOB, { url: jobs.url, options });
  return { code, stdout: stdout.toString(), stderr, actions: jobs.actions(), host: new URL(jobs.url).host };
}

describe.concurrent("behavior 18.46: a server that is away neither delays nor fails the job", () => {
  test("one that answers 404 is asked once, and one line says so", async () => {
    const { host, actions, ...ended } = await runWith(() => new Response("not found", { status: 404 }));
    expect(ended).toEqual({
      code: 4,
      stdout: "done\n",
      stderr: `stillup: the end of the run could not be reported to http://${host}: it knows no job with this URL\n`,
    });
    expect(actions).toEqual(["start", "4"]);
  });

  test.each([429, 500, 503])("one that answers %p is asked again", async (status) => {
    const { host, actions, ...ended } = await runWith(({ action }) =>
      action === "start" ? new Response("OK") : new Response("no", { status }),
    );
    expect(ended).toMatchObject({
      code: 4,
      stderr: `stillup: the end of the run could not be reported to http://${host}: it answered ${status}\n`,
    });
    expect(actions.slice(0, 3)).toEqual(["start", "4", "4"]);
  });

  test("one that works again soon has all", async () => {
    let failures = 2;
    const { actions, ...ended } = await runWith(
      () => new Response("", { status: failures-- > 0 ? 503 : 200 }),
    );
    expect(ended).toMatchObject({ code: 4, stderr: expect.any(String) });
    expect(actions.at(-1)).toBe("4");
    expect(failures).toBeLessThan(0);
  });

  test("behavior 18.49: one that works again later gets the end, although the run and its caller have gone on", async () => {
    let isAway = true;
    using jobs = startJobServer(() => new Response("", { status: isAway ? 503 : 200 }));
    const { code, stderr } = await runToEnd(JOB, { url: jobs.url });
    expect([code, stderr]).toEqual([4, expect.stringContaining("could not be reported")]);
    isAway = false;
    const before = jobs.reports.length;
    await eventually(() => jobs.reports.length > before);
    const [start] = jobs.reports;
    expect(jobs.reports.at(-1)).toMatchObject({ action: "4", rid: start?.rid, body: "done\n" });
  }, 300_000);

  test("a redirect is not followed, because it would lose the output", async () => {
    const { stderr, actions } = await runWith(() => Response.redirect("http://127.0.0.1:1/5ecret", 301));
    expect(stderr).toEndWith(": it answered 301: the URL has another address now\n");
    expect(actions).toEqual(["start", "4"]);
  });

  test("one that refuses connections", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/ping/5ecret`;
    const { code, stdout, stderr } = await runToEnd(JOB, { url });
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 4, stdout: "done\n" });
    expect(stderr).toMatch(
      /^stillup: the end of the run could not be reported to http:\/\/127\.0\.0\.1:\d+: the connection was refused[^\n]*\n$/,
    );
    expect(stderr).not.toContain("5ecret");
  });

  test("one whose certificate is not known: an authority can be added", async () => {
    using dir = tempDir();
    const authority = await createAuthority();
    const tls = await authority.issue([{ type: "dns", value: "localhost" }]);
    await using server = Bun.serve({ port: 0, tls, fetch: () => new Response("OK") });
    const url = `https://localhost:${server.port}/ping/5ecret`;
    const { code, stderr } = await runToEnd(JOB, { url });
    expect(code).toBe(4);
    expect(stderr).toContain("its certificate can't be verified");
    const file = join(dir.path, "authority.pem");
    writeFileSync(file, authority.cert);
    const known = await runToEnd(JOB, { url, env: { NODE_EXTRA_CA_CERTS: file } });
    expect(known).toMatchObject({ code: 4, stderr: "" });
  }, 300_000);

  test("one that closes connections, and one that does not exist", async () => {
    using rude = await startServer((socket) => socket.destroy());
    for (const host of [`127.0.0.1:${rude.port}`, "none.invalid"]) {
      const { code, stderr } = await runToEnd(JOB, { url: `http://${host}/ping/5ecret` });
      expect(code).toBe(4);
      expect(stderr).toMatch(/^stillup: the end of the run could not be reported to [^\n]+\n$/);
      expect(stderr).not.toContain("5ecret");
    }
  }, 300_000);

  test("one that never answers the start: the command runs at once, and the end is sent", async () => {
    const { stdout, code, actions, stderr } = await runWith(({ action }) =>
      action === "start" ? never() : new Response("OK"),
    );
    expect({ stdout, code, actions }).toEqual({ stdout: "done\n", code: 4, actions: ["start", "4"] });
    expect(stderr).toMatch(
      /^stillup: the start of the run could not be reported to [^\n]+: it did not answer in time\n$/,
    );
  });

  test("one that never answers", async () => {
    const { stdout, code, stderr } = await runWith(never);
    expect({ stdout, code }).toEqual({ stdout: "done\n", code: 4 });
    expect(stderr).toEndWith(": it did not answer in time\n");
  }, 300_000);

  test("a slow one gets the end after it has answered the start", async () => {
    const order: string[] = [];
    const { stderr } = await runWith(async ({ action }) => {
      order.push(`${action} asked`);
      await Bun.sleep(action === "start" ? 500 : 0);
      order.push(`${action} answered`);
      return new Response("OK");
    });
    expect(order).toEqual(["start asked", "start answered", "4 asked", "4 answered"]);
    expect(stderr).toBe("");
  });

  test("a start that was not taken is not tried again after the end of the command", async () => {
    using dir = tempDir();
    const file = join(dir.path, "pid");
    using jobs = startJobServer(async ({ action }) => {
      if (action !== "start") return new Response("OK");
      const pid = await eventually(
        async () => (await Bun.file(file).exists()) && (await Bun.file(file).text()),
      );
      await eventually(() => !isRunning(Number(pid)));
      return new Response("", { status: 503 });
    });
    await runToEnd(sh('echo $$ >"$1.new"; mv "$1.new" "$1"; exit 4', file), { url: jobs.url });
    expect(jobs.actions()).toEqual(["start", "4"]);
  });

  test("the output of the command does not wait for it", async () => {
    using jobs = startJobServer(never);
    const child = startRun(sh("echo done; exec sleep 60"), { url: jobs.url });
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("done\n");
    child.kill("SIGKILL");
  });
});

describe.concurrent("behavior 18.47: --quiet prints nothing but the output of the command", () => {
  test.each([
    ["if the server does not know the job", [], JOB, 4, "done\n"],
    ["if the command can't be started", [], ["no-such-command"], 127, ""],
    ["if it takes too long", ["--timeout", "1s"], ["sleep", "60"], 124, ""],
  ])("%s", async (_, options, command, code, stdout) => {
    using jobs = startJobServer(() => new Response("", { status: 404 }));
    const ended = await runToEnd(command, { url: jobs.url, options: ["--quiet", ...options] });
    expect({ ...ended, stdout: ended.stdout.toString() }).toEqual({ code, stdout, stderr: "" });
    expect(jobs.actions().at(-1)).toBe(`${code}`);
  });
});
