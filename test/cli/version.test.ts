import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { readRelease } from "../../src/cli/version.ts";
import { stillup } from "../support/product/command.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { closedPort } from "../support/servers/tcp-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const PAGE = "https://forge.example/stillup/releases/tag/v9.0.0";

/** A server of releases, which answers with what a test sets, and the requests that it got. */
class Releases implements AsyncDisposable {
  /** The methods and headers of the requests. */
  readonly asked: Record<string, string>[] = [];
  answer: (request: Request) => Response | Promise<Response> = () => release("v9.0.0");
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      this.asked.push({ method: request.method, ...Object.fromEntries(request.headers) });
      return this.answer(request);
    },
  });

  get url(): string {
    return `${this.#server.url.origin}/latest`;
  }

  check(...args: string[]) {
    return stillup(["version", "--check", ...args], { STILLUP_RELEASES_URL: this.url });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

const release = (tag: unknown, page: unknown = PAGE) =>
  Response.json({ tag_name: tag, html_url: page, name: "a name", assets: [] });

const releases = await untilEndOfFile(new Releases());

describe("stillup version", () => {
  test("behavior 9.130: prints the version, as JSON too, and asks nobody", async () => {
    const before = releases.asked.length;
    const { code, stdout } = await stillup(["version", "--json"], { STILLUP_RELEASES_URL: releases.url });
    expect([code, JSON.parse(stdout)]).toEqual([0, { version }]);
    for (const args of [["version"], ["--version"], ["help"], ["help", "version"]])
      expect((await stillup(args, { STILLUP_RELEASES_URL: releases.url })).code).toBe(0);
    expect(releases.asked.length).toBe(before);
  });

  test("behavior 9.130: no other code knows where releases are", async () => {
    const found: string[] = [];
    for (const file of new Bun.Glob("src/**/*.ts").scanSync("."))
      if (/releasesUrl|readReleasesUrl|api\.github\.com|\/releases\b/.test(await Bun.file(file).text()))
        found.push(file);
    expect(found.sort()).toEqual(["src/cli/version.ts", "src/config.ts"]);
  });

  test("behavior 9.131: --check says that a newer version is released, with exit code 1", async () => {
    releases.answer = () => release("v9.0.0");
    expect(await releases.check()).toEqual({
      code: 1,
      stdout: `stillup 9.0.0 is released, this is ${version}: ${PAGE}\n`,
      stderr: "",
    });
    const { code, stdout } = await releases.check("--json");
    expect([code, JSON.parse(stdout)]).toEqual([1, { version, newest: "9.0.0", isNewer: true, url: PAGE }]);
  });

  test("behavior 9.131: --check says that this is the newest version, with exit code 0", async () => {
    for (const tag of [version, `v${version}`, "v0.0.1", "v9.0.0-rc.1"]) {
      releases.answer = () => release(tag);
      expect(await releases.check()).toEqual({
        code: 0,
        stdout: `stillup ${version} is the newest version\n`,
        stderr: "",
      });
    }
  });

  test("behavior 9.131: a flag goes before the variable", async () => {
    await using other = new Releases();
    const before = releases.asked.length;
    expect((await releases.check("--releases-url", other.url)).code).toBe(1);
    expect([other.asked.length, releases.asked.length]).toEqual([1, before]);
  });

  test("behavior 9.133: the request says nothing about this installation", async () => {
    await using own = new Releases();
    await own.check();
    expect(own.asked[0]).toEqual({
      method: "GET",
      accept: "application/json",
      "accept-encoding": "identity",
      connection: "keep-alive",
      host: new URL(own.url).host,
      "user-agent": "stillup",
    });
    expect(own.asked.length).toBe(1);
  });

  const failing = async (answer: () => Response | Promise<Response>) => {
    releases.answer = answer;
    const { code, stdout, stderr } = await releases.check("--json");
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toStartWith(`stillup: the newest version is unknown: ${new URL(releases.url).host}: `);
    expect(stderr.match(/\n/g)).toHaveLength(1);
    return stderr
      .slice(stderr.lastIndexOf(`${new URL(releases.url).port}: `) + new URL(releases.url).port.length + 2)
      .trimEnd();
  };
  const NO_RELEASE = "its answer is no release: tag_name must be a version, such as v1.2.3";

  test.each([
    ["a page", "<html>", "its answer is not JSON"],
    ["nothing", "", "its answer is not JSON"],
    ["null", "null", NO_RELEASE],
    ["a list", "[]", NO_RELEASE],
    ["no tag", '{"name":"v9.0.0"}', NO_RELEASE],
    ["a tag that is no version", '{"tag_name":"latest"}', NO_RELEASE],
    ["a tag that is no text", '{"tag_name":{"toString":"v9.0.0"}}', NO_RELEASE],
    ["a tag with a sequence for a terminal", '{"tag_name":"v9.0.0-\\u001b[2J"}', NO_RELEASE],
  ])("behavior 9.133: an answer with %s is exit code 3", async (_, body, reason) => {
    expect(await failing(() => new Response(body))).toBe(reason);
  });

  test("behavior 9.133: neither an error nor too many bytes are an answer", async () => {
    for (const status of [403, 404, 429, 500])
      expect(await failing(() => new Response("no", { status }))).toBe(`it answered ${status}`);
    const endless = () =>
      new Response(new ReadableStream({ pull: (one) => one.enqueue(new Uint8Array(65_536)) }));
    expect(await failing(endless)).toBe("the answer is longer than 1048576 bytes");
    const packed = Bun.gzipSync(new Uint8Array(3_000_000));
    expect(await failing(() => new Response(packed, { headers: { "content-encoding": "gzip" } }))).toBe(
      "the answer is longer than 1048576 bytes",
    );
  });

  test("behavior 9.133: a server that does not answer, or not to its end, takes only so long", async () => {
    await using own = new Releases();
    own.answer = () => new Promise(() => {});
    expect(await readRelease(own.url, 50).catch((error: Error) => error.name)).toBe("TimeoutError");
    own.answer = () => new Response(new ReadableStream({ start: (one) => one.enqueue("{") }));
    expect(await readRelease(own.url, 50).catch((error: Error) => error.name)).toBe("TimeoutError");
  });

  test("behavior 9.133: a server that can't be reached, or whose certificate is not valid, is exit code 3", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/`;
    const { code, stderr } = await stillup(["version", "--check", "--releases-url", url]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("the connection was refused")]);
    const { cert, key } = await (await createAuthority()).issue([{ type: "ip", value: "127.0.0.1" }]);
    using secure = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { cert, key },
      fetch: () => release("v9.0.0"),
    });
    const refused = await stillup(["version", "--check", "--releases-url", secure.url.href]);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining("its certificate can't be verified"),
    ]);
  });

  test("behavior 9.133: redirects are followed, up to five, and to plain HTTP only on this machine", async () => {
    await using moved = new Releases();
    releases.answer = () => Response.redirect(moved.url, 301);
    expect((await releases.check()).code).toBe(1);
    expect(moved.asked.length).toBe(1);
    for (const to of [
      "http://192.0.2.1/",
      "file:///etc/hostname",
      "https://me:word@192.0.2.1/",
      "//192.0.2.1/",
    ])
      expect(await failing(() => new Response("", { status: 302, headers: { location: to } }))).toBe(
        "its redirect leads to no URL that is allowed: https:// is required",
      );
    const before = releases.asked.length;
    expect(await failing(() => Response.redirect(releases.url))).toBe("there are more than 5 redirects");
    expect(releases.asked.length - before).toBe(6);
  });

  test("behavior 9.133: the page of a release is printed without what a terminal interprets, or not at all", async () => {
    releases.answer = () => release("v9.0.0", "https://forge.example/\u001b[2J\u202e?a=\u0007b");
    const { stdout } = await releases.check();
    expect(stdout).toBe(
      `stillup 9.0.0 is released, this is ${version}: https://forge.example/%1B[2J%E2%80%AE?a=%07b\n`,
    );
    for (const page of [
      "javascript:alert(1)",
      "http://192.0.2.1/",
      "",
      5,
      `https://a.example/${"a".repeat(500)}`,
    ]) {
      releases.answer = () => release("v9.0.0", page);
      expect(JSON.parse((await releases.check("--json")).stdout).url).toBeNull();
    }
  });

  test.each(["http://192.0.2.1/", "ftp://127.0.0.1/", "https://me:word@forge.example/", "", "releases"])(
    "behavior 9.131: %j is refused as a place of releases, with exit code 2",
    async (url) => {
      const { code, stderr } = await stillup(["version", "--check", "--releases-url", url]);
      expect([code, stderr]).toEqual([
        2,
        "stillup: --releases-url must be a URL that begins with https://, without a user; http:// only at a loopback address\n",
      ]);
    },
  );
});
