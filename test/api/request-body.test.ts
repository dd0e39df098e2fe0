import { expect, test } from "bun:test";
import { connect } from "node:net";
import { MAX_BODY, readJsonObject } from "../../src/api/http/request-body.ts";
import { AppError } from "../../src/errors.ts";

test("behavior 7.8: an incomplete body is an error of the client", async () => {
  const begun = Promise.withResolvers<void>();
  const thrown = Promise.withResolvers<unknown>();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const read = readJsonObject(request, { largest: MAX_BODY.keyed });
      begun.resolve();
      thrown.resolve(await read.catch((error) => error));
      return new Response();
    },
  });
  const socket = connect(server.port ?? 0, "127.0.0.1");
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"name');
  await begun.promise;
  socket.destroy();
  expect(await thrown.promise).toEqual(
    new AppError("invalid", "the body must be complete: the connection was closed before its end"),
  );
});
