import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { mayPing } from "../../../src/probes/ping/ping-access.ts";
import { isMissing } from "../../support/requirements.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

const program = fileURLToPath(new URL("../../support/probes/observe.ts", import.meta.url));

/** The observation of a process whose system forbids one of its calls. */
async function observeForbidden(type: string, config: object, call = "connect"): Promise<Observation> {
  const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:error=EPERM`];
  const command = ["strace", "-f", "-qq", "-o", "/dev/null", ...inject, process.execPath, program];
  const child = Bun.spawn([...command, type, JSON.stringify(config)], { stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text());
}

test.skipIf(isMissing(["strace"])).each(["TCP", "HTTP", "HTTPS", "TLS"])(
  "behavior 1.64: a connection of %s that this machine forbids is an own fault",
  async (kind) => {
    using server = await startServer(() => {});
    const { port } = server;
    const type = kind === "HTTPS" ? "HTTP" : kind;
    const url = `${kind.toLowerCase()}://127.0.0.1:${port}/`;
    const config = type === "HTTP" ? { url } : { host: "127.0.0.1", port };
    expect(await observeForbidden(type, config)).toEqual({
      outcome: "inconclusive",
      message: expect.stringContaining(`does not allow a connection to 127.0.0.1 port ${port}`),
    });
  },
);

test.skipIf(isMissing(["strace"]) || !mayPing())(
  "behavior 1.64: a ping that this machine forbids is an own fault",
  async () => {
    expect(await observeForbidden("TCP", { host: "127.0.0.1", protocol: "icmp" }, "sendto")).toEqual({
      outcome: "inconclusive",
      message: expect.stringContaining("EPERM"),
    });
  },
);
