import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { parse } from "yaml";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(60_000);

const SCRIPT = resolve("deploy/ci/stillup-ci");

/** A comment of a pull or merge request. */
interface Comment {
  id: number;
  body: string;
}

/** The comments of both forges, in pages of 100, as their documentation describes them. */
class Forge implements AsyncDisposable {
  readonly comments: Comment[] = [];
  /** Method, path and the header that signs in, of each request that changes something. */
  readonly changes: string[] = [];
  readonly #server = new HttpTarget((request) => this.#answer(request));

  get url(): string {
    return this.#server.url.replace(/\/$/, "");
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "GET") {
      const page = Number(searchParams.get("page"));
      return Response.json(this.comments.slice((page - 1) * 100, page * 100));
    }
    const token = request.headers.get("private-token") ?? request.headers.get("authorization");
    this.changes.push(`${request.method} ${pathname} ${token}`);
    const { body } = (await request.json()) as { body: string };
    const found = this.comments.find(({ id }) => pathname.endsWith(`/${id}`));
    if (found) found.body = body;
    else this.comments.push({ id: this.comments.length + 1, body });
    return Response.json({}, { status: found ? 200 : 201 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

const binary = await untilEndOfFile(new Binary());
let server: RunningServer;
let api: Client;
let key: string;

beforeAll(async () => {
  server = await binary.serve();
  api = await server.client();
  key = (await api.post("/api/v1/api-keys", { name: "ci", role: "admin" })).body.data.key;
});
afterAll(() => server.end("SIGTERM"));

/** Runs the script as a job does, with nothing else in its environment. */
async function run(command: string, env: Record<string, string | undefined> = {}) {
  const given = { STILLUP_SERVER: server.url, STILLUP_KEY: key, ...env };
  const child = Bun.spawn([SCRIPT, command], {
    cwd: binary.folder,
    env: { PATH: `${binary.folder}:${process.env.PATH}`, HOME: binary.folder, ...given },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

describe.skipIf(isMissing(["jq", "curl"]))("the script of CI", () => {
  test("shows a plan as one comment, which the next run replaces, on both forges", async () => {
    await using forge = new Forge();
    for (let id = 1; id <= 130; id++) forge.comments.push({ id, body: "<p>Thanks</p>" });
    const target = "{ host: 127.0.0.1, port: 1, interval: 60 }";
    await Bun.write(
      join(binary.folder, "stillup.yaml"),
      `monitors:\n  shop:\n    type: TCP\n    config: ${target}\n`,
    );
    const output = join(binary.folder, "output");
    const github = {
      GITHUB_API_URL: forge.url,
      GITHUB_REPOSITORY: "ada/shop",
      GITHUB_TOKEN: "ghs_secret",
      STILLUP_PULL_REQUEST: "7",
      GITHUB_OUTPUT: output,
    };
    const first = await run("plan", github);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("+ monitor shop") });
    expect(first.stdout + first.stderr).not.toContain("ghs_secret");
    expect(forge.comments.at(-1)?.body).toBe(
      "<!-- stillup plan -->\nstillup: what stillup.yaml would change, 1 to create:\n\n    + monitor shop\n",
    );
    expect(await Bun.file(output).text()).toBe("changes=true\n");

    expect(await run("apply")).toMatchObject({ code: 0 });
    expect((await api.get("/api/v1/monitors")).body.data).toHaveLength(1);
    expect(await run("plan", github)).toMatchObject({ code: 0 });
    expect(await Bun.file(output).text()).toBe("changes=true\nchanges=false\n");
    expect(forge.comments).toHaveLength(131);
    expect(forge.comments.at(-1)?.body).toContain("stillup.yaml changes nothing.");
    expect(forge.changes).toEqual([
      "POST /repos/ada/shop/issues/7/comments Bearer ghs_secret",
      "PATCH /repos/ada/shop/issues/comments/131 Bearer ghs_secret",
    ]);

    forge.changes.length = 0;
    await Bun.write(join(binary.folder, "stillup.yaml"), "monitors: { shop: { type: TCP } }\n");
    const gitlab = {
      CI_API_V4_URL: `${forge.url}/api/v4`,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "12",
      GITLAB_TOKEN: "glpat-secret",
    };
    expect(await run("plan", gitlab)).toMatchObject({ code: 1 });
    expect(forge.changes).toEqual(["PUT /api/v4/projects/3/merge_requests/12/notes/131 glpat-secret"]);
    expect(forge.comments.at(-1)?.body).toContain("    monitors.shop.config");
  });

  test("behavior 25.46: shows below the plan what a replay finds, or why it can't be replayed", async () => {
    await using forge = new Forge();
    const config = "{ interval: 300 }";
    const write = (settings: string) =>
      Bun.write(
        join(binary.folder, "stillup.yaml"),
        `monitors:\n  nightly:\n    type: SCHEDULED\n    config: ${config}\n${settings}`,
      );
    await write("");
    expect(await run("apply")).toMatchObject({ code: 0 });
    await write("    confirmations: 1\n");
    const github = {
      GITHUB_API_URL: forge.url,
      GITHUB_REPOSITORY: "ada/shop",
      GITHUB_TOKEN: "ghs_secret",
      STILLUP_PULL_REQUEST: "7",
      STILLUP_REPLAY: "30",
    };
    expect(await run("plan", github)).toMatchObject({ code: 0 });
    expect(forge.comments.at(-1)?.body).toBe(
      "<!-- stillup plan -->\nstillup: what stillup.yaml would change, 1 to update:\n\n" +
        "    ~ monitor nightly: confirmations\n    \n    nightly: nothing would differ in 30 days: 0 messages\n",
    );

    await using older = new HttpTarget((request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/api/v1/replay") return new Response(null, { status: 404 });
      return fetch(`${server.url}${pathname}${search}`, request);
    });
    const failed = await run("plan", { ...github, STILLUP_SERVER: older.url.replace(/\/$/, "") });
    expect(failed).toMatchObject({ code: 1 });
    const { body = "" } = forge.comments.at(-1) ?? {};
    expect(body).toStartWith(
      "<!-- stillup plan -->\nstillup: what stillup.yaml would change. The replay failed:\n\n    ~ monitor nightly: confirmations\n",
    );
    expect(body).toContain("its version is older");
    const wrong = await run("plan", { ...github, STILLUP_REPLAY: "365" });
    expect(wrong).toMatchObject({ code: 1 });
    expect(forge.comments.at(-1)?.body).toContain("    stillup: --replay must be a whole number of days");
  });

  test("opens a maintenance for a deployment and ends it, by its ID or by its tags", async () => {
    const output = join(binary.folder, "maintenance-output");
    const open = async () => {
      const { data } = (await api.get("/api/v1/maintenances")).body;
      return data.flatMap(({ state, title, selector }: { state: string; title: string; selector: object }) =>
        state === "ended" ? [] : [{ state, title, selector }],
      );
    };
    const given = { STILLUP_TAGS: "shop, nightly", STILLUP_TITLE: 'Release "4.2" $(id)' };
    const started = await run("maintenance-start", { ...given, GITHUB_OUTPUT: output });
    expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^maintenance \S+ is open\n$/) });
    const both = { tags: ["shop", "nightly"] };
    expect(await open()).toEqual([{ state: "active", title: given.STILLUP_TITLE, selector: both }]);
    const [, id = ""] = /^maintenance-id=(\S+)$/m.exec(await Bun.file(output).text()) ?? [];
    expect(await run("maintenance-end", { STILLUP_MAINTENANCE: id })).toMatchObject({ code: 0 });
    expect(await open()).toEqual([]);

    expect(await run("maintenance-start", { STILLUP_TAGS: "shop" })).toMatchObject({ code: 0 });
    expect(await run("maintenance-end", { STILLUP_TAGS: "shop" })).toMatchObject({ code: 0 });
    expect(await open()).toEqual([]);
    const unselected = await run("maintenance-start");
    expect(unselected).toMatchObject({ code: 1, stderr: expect.stringContaining("STILLUP_ALL=true") });
  });

  test("reports how a job ends, and its start only if the server is there", async () => {
    const job = { name: "job", type: "SCHEDULED", config: { interval: 300 } };
    const { checkinUrl, id } = (await api.post("/api/v1/monitors", job)).body.data;
    const url = { STILLUP_CHECKIN_URL: checkinUrl };
    const status = async () => (await api.get(`/api/v1/monitors/${id}`)).body.data.status;
    for (const [given, seen] of [
      ["success", "ok"],
      ["cancelled", "failed"],
      ["success", "ok"],
      ["failure", "failed"],
    ] as const) {
      const both = { ...url, STILLUP_RUN_ID: `${crypto.randomUUID()}` };
      expect(await run("check-in", { ...both, STILLUP_STATUS: "start" })).toMatchObject({ code: 0 });
      expect(await run("check-in", { ...both, STILLUP_STATUS: given })).toMatchObject({ code: 0 });
      expect(await status()).toBe(seen);
    }
    const away = { STILLUP_CHECKIN_URL: "http://127.0.0.1:1/c/x" };
    expect(await run("check-in", { ...away, STILLUP_STATUS: "start" })).toMatchObject({ code: 0 });
    const unknown = await run("check-in", { ...url, STILLUP_STATUS: "sucess" });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("got sucess") });
  });

  test("says what is missing, and leaves no key behind", async () => {
    for (const command of ["plan", "apply", "maintenance-start", "maintenance-end"])
      expect(await run(command, { STILLUP_KEY: "" })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("forks"),
      });
    expect(await run("check-in")).toMatchObject({
      code: 1,
      stderr: "stillup: STILLUP_CHECKIN_URL is not set\n",
    });
    expect(await run("deploy")).toMatchObject({ code: 2, stderr: expect.stringContaining("usage:") });
    const temporary = join(binary.folder, "tmp");
    await $`mkdir ${temporary}`;
    expect(await run("apply", { TMPDIR: temporary, STILLUP_CONFIG: "none.yaml" })).toMatchObject({ code: 1 });
    expect(await $`ls -A ${temporary}`.text()).toBe("");
  });
});

describe("the definitions of CI", () => {
  test("the action gives the script each of its inputs by the environment, and no expression to a shell", async () => {
    const action = parse(await Bun.file("action.yml").text());
    const [step] = action.runs.steps;
    expect(step.run).not.toContain("${{");
    const script = await Bun.file(SCRIPT).text();
    const given = Object.entries<string>(step.env);
    for (const [name] of given.filter(([name]) => name !== "RUN")) expect(script).toContain(name);
    for (const input of Object.keys(action.inputs))
      expect(
        given.some(([, value]) => value.includes(`inputs.${input} `)),
        input,
      ).toBe(true);
  });

  test("each job of GitLab runs a command of the script", async () => {
    const jobs = Object.entries<{ script?: string[] }>(parse(await Bun.file("deploy/ci/gitlab.yml").text()));
    const commands = jobs.flatMap(([, { script = [] }]) => script);
    const known = [...(await Bun.file(SCRIPT).text()).matchAll(/^ {2}([a-z-]+)\) /gm)].map(
      ([, name]) => name,
    );
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) expect(known).toContain(command.replace("stillup-ci ", ""));
  });
});

test.skipIf(isMissing(["shellcheck"]))("shellcheck finds nothing in the script", async () => {
  expect(await $`shellcheck --severity warning ${SCRIPT}`.nothrow().text()).toBe("");
});
