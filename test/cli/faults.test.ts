import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverFault } from "../../src/cli/failure.ts";
import { fileReason, systemFault } from "../../src/system-error.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { closedPort } from "../support/servers/tcp-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const TIMEOUT = 10_000;

const dir = await untilEndOfFile(tempDir());

async function faultOf(url: string, timeout = TIMEOUT): Promise<string> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(timeout) });
    return "answered";
  } catch (error) {
    return serverFault(error, timeout);
  }
}

describe("behavior 9.104: a server that can't be reached is described in words", () => {
  test("nothing listens, or the name does not exist", async () => {
    expect(await faultOf(`http://127.0.0.1:${await closedPort()}`)).toBe(
      "the connection was refused: nothing listens on that port, or there is no route to the host",
    );
    expect(await faultOf("http://nothing.invalid")).toBe("the name of the host does not exist");
  });

  test("it speaks TLS, with a certificate that can't be verified, or does not speak it", async () => {
    const { cert, key } = await (await createAuthority()).issue([{ type: "dns", value: "localhost" }]);
    using secure = Bun.serve({ port: 0, tls: { cert, key }, fetch: () => new Response() });
    using plain = Bun.serve({ port: 0, fetch: () => new Response() });
    expect(await faultOf(`https://localhost:${secure.port}`)).toStartWith(
      "its certificate can't be verified: ",
    );
    expect(await faultOf(`http://localhost:${secure.port}`)).toBe(
      "the server closed the connection: if it serves HTTPS, the URL must begin with https://",
    );
    expect(await faultOf(`https://localhost:${plain.port}`)).toBe(
      "the server does not speak TLS on that port: if it serves plain HTTP, the URL must begin with http://",
    );
  });

  test("it does not answer in time", async () => {
    using silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
    expect(await faultOf(`http://localhost:${silent.port}`, 50)).toBe("no answer within 0.05 s");
  });
});

describe("behavior 9.104: a file that can't be used is described in words", () => {
  const errorOf = (work: () => unknown): NodeJS.ErrnoException => {
    try {
      work();
    } catch (error) {
      return error as NodeJS.ErrnoException;
    }
    throw new Error("no error");
  };

  test("by its path and the reason", () => {
    const file = join(dir.path, "file");
    writeFileSync(file, "");
    expect(systemFault(errorOf(() => readFileSync(`${file}-2`)))).toBe(
      `${file}-2 can't be opened: there is no such file or directory`,
    );
    expect(systemFault(errorOf(() => mkdirSync(`${file}/x`)))).toBe(
      `${file}/x can't be created: a part of its path is not a directory`,
    );
    expect(fileReason(errorOf(() => readFileSync(dir.path)))).toBe("it is a directory");
  });

  test("other errors keep their words without the code", () => {
    const error = Object.assign(new Error("EROFS: read-only file system, open '/a'"), {
      code: "EROFS",
      syscall: "open",
      path: "/a",
    });
    expect(systemFault(error)).toBe("/a can't be opened: read-only file system");
    expect(fileReason(new Error("connect ECONNREFUSED /a"))).toBe("connect ECONNREFUSED /a");
  });
});
