import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { fetchBounded, textOf } from "../src/bounded-fetch.ts";
import { eventually } from "./support/eventually.ts";

const MIB = 1024 * 1024;
const large = Buffer.alloc(64 * MIB);
const quickBrotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const CODINGS = { gzip: gzipSync, "x-gzip": gzipSync, deflate: deflateSync, br: quickBrotli };

let server: Bun.Server<undefined>;
let asked: Headers;
/** Bytes of the endless answer that were written, and whether its connection was closed. */
let [sent, isClosed] = [0, false];

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const [, coding = "", size = ""] = new URL(request.url).pathname.split("/");
      asked = request.headers;
      if (coding === "endless") return new Response(endless());
      const plain = size === "large" ? large : Buffer.from("hello");
      const encode = CODINGS[coding as keyof typeof CODINGS];
      const headers: Record<string, string> = coding === "plain" ? {} : { "content-encoding": coding };
      return new Response(encode ? encode(plain) : plain, { headers, status: 201 });
    },
  });
});

afterAll(() => server.stop(true));

function endless(): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      isClosed = true;
    },
  });
}

const get = (path: string) => fetchBounded(`${server.url}${path}`, {}, MIB);
const refusal = (path: string) => get(path).catch(({ message }: Error) => message);

describe("behavior 19.63: an answer of another server", () => {
  test.each(["plain", "gzip", "x-gzip", "deflate", "br"])(
    "is read whole, in the coding %s",
    async (coding) => {
      const answer = await get(`${coding}/small`);
      expect({ status: answer.status, text: textOf(answer) }).toEqual({ status: 201, text: "hello" });
      expect(answer.headers.get("content-encoding")).toBeNull();
      expect(asked.get("accept-encoding")).toBe("identity");
    },
  );

  test.each(["plain", "gzip", "deflate", "br"])(
    "is not read beyond the limit, in the coding %s",
    async (coding) => {
      expect(await refusal(`${coding}/large`)).toBe("the answer is longer than 1048576 bytes");
    },
  );

  test("that never ends is closed", async () => {
    expect(await refusal("endless")).toBe("the answer is longer than 1048576 bytes");
    await eventually(() => isClosed);
    // Sockets and streams of both sides hold some megabytes.
    expect(sent).toBeLessThan(32 * MIB);
  });

  test("in another coding is an error", async () => {
    expect(await refusal("zstd/small")).toBe("the coding of the answer is unknown: zstd");
  });
});
