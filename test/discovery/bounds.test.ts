import { expect, test } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BOUNDS } from "../../src/discovery/bounded-answer.ts";
import { createSources } from "../../src/discovery/sources.ts";
import type { DiscoverSettings } from "../../src/domain/discovery/settings.ts";
import { startApiServer } from "../support/servers/api-server.ts";
import { always, badAnswers } from "../support/servers/bad-source.ts";
import { startDockerEngine } from "../support/servers/docker-engine.ts";
import { tempDir } from "../support/temp-dir.ts";

type Answer = (response: ServerResponse) => void;

/** Long enough for what does not stall, on a slow machine. */
const PATIENCE = { stalls: 300, others: 60_000 };

async function faultOf(
  settings: DiscoverSettings,
  name: string,
  account?: { directory: string; env: Record<string, string> },
) {
  const patience = name.startsWith("stalls") ? PATIENCE.stalls : PATIENCE.others;
  const [source] = createSources(settings, { bounds: { ...BOUNDS, patience }, ...(account && { account }) });
  return source?.read(new AbortController().signal).then(
    () => "no fault",
    ({ name: kind, message }: Error) => `${kind}: ${message}`,
  );
}

test("behavior 28.60: a read lasts at most 10 s, and an answer or a file has at most 16 MiB", () => {
  expect(BOUNDS).toEqual({ patience: 10_000, most: 16 * 1024 * 1024 });
});

for (const [name, { answer, says }] of Object.entries(badAnswers)) {
  test(`behavior 28.60, 28.61: an engine that ${name}`, async () => {
    using directory = tempDir();
    await using engine = await startDockerEngine(directory.path);
    engine.instead = always(answer);
    const fault = await faultOf({ docker: { socket: engine.socket } }, name);
    expect(fault).toStartWith(`SourceFault: ${engine.socket}: ${says}`);
  });

  test(`behavior 28.60, 28.61: an API server that ${name}`, async () => {
    using directory = tempDir();
    await using api = await startApiServer(directory.path);
    api.instead = always(answer);
    const fault = await faultOf({ kubernetes: {} }, name, api.account);
    expect(fault).toStartWith(`SourceFault: ${says}`);
  });

  test(`behavior 28.60, 28.61: a service of targets that ${name}`, async () => {
    await using server = await startService(answer);
    const fault = await faultOf({ http: `${server.url}?token=secret` }, name);
    expect(fault).toStartWith(`SourceFault: ${says}`);
    expect(fault).not.toContain("secret");
  });
}

test("behavior 28.60: what is read of an answer that does not end is less than 40 MiB", async () => {
  let sent = 0;
  await using server = await startService((response) => {
    const part = Buffer.alloc(1024 * 1024, " ");
    function next(): void {
      while (!response.destroyed) {
        sent += part.length;
        if (!response.write(part)) return void response.once("drain", next);
      }
    }
    next();
  });
  expect(await faultOf({ http: server.url }, "sends without an end")).toContain("is longer than 16 MiB");
  expect(sent).toBeLessThan(40 * 1024 * 1024);
});

test("behavior 28.60: a read that is stopped ends at once", async () => {
  await using server = await startService(() => {});
  const [source] = createSources({ http: server.url });
  const stopped = new AbortController();
  const reading = source?.read(stopped.signal);
  stopped.abort();
  await expect(reading).rejects.toThrow();
});

async function startService(answer: Answer): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_: IncomingMessage, response) => answer(response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/targets`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
