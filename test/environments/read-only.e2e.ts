import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cannotInject, Fault } from "../support/crash/fault.ts";
import { builtImage, Container } from "../support/environments/container.ts";
import { isLong } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";
import { createKumaDatabase } from "../support/store/kuma-database.ts";

/** As in the Containerfile. */
const IN_IMAGE = { TMPDIR: "/var/lib/stillup" };

const lacksNamespaces = isMissing(["unshare", "setpriv", "ip"], { root: true });

test.skipIf(lacksNamespaces)(
  "behavior 9.109: a container that may write only its volume starts the first time, and all commands work in it",
  async () => {
    await using container = new Container(await builtImage());
    const server = await container.serve();
    const client = new Client(server.url, container.key);
    const job = { name: "job", type: "SCHEDULED", config: {} };
    expect((await client.post("/api/v1/monitors", job)).status).toBe(201);
    const commands = [
      ["backup", "/var/lib/stillup/backup.db"],
      ["check"],
      ["keys", "create", "--name", "another"],
      ["export"],
      ["health", "--port", new URL(server.url).port],
    ];
    for (const command of commands)
      expect({ command, ...(await container.run(command)) }).toMatchObject({ command, code: 0 });

    createKumaDatabase(join(container.volume, "kuma.db")).close();
    container.own();
    const read = ["import", "kuma", "/var/lib/stillup/kuma.db"];
    expect(await container.run(read)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("set TMPDIR to a directory that can be written"),
    });
    expect(await container.run(read, { env: IN_IMAGE })).toMatchObject({ code: 0 });
    expect(await server.end("SIGTERM")).toBe(0);

    expect(await container.run(["restore", "/var/lib/stillup/backup.db"])).toMatchObject({ code: 0 });
    const copy = ["copy", "--from", "/var/lib/stillup", "--to", "/var/lib/stillup/copy"];
    expect(await container.run(copy)).toMatchObject({ code: 0 });
    expect(readdirSync(container.volume).filter((name) => name.startsWith("stillup-"))).toEqual([]);
  },
  300_000,
);

test.skipIf(lacksNamespaces)(
  "behavior 24.2: without a shell, the log of a container has the link of the first owner",
  async () => {
    await using container = new Container(await builtImage());
    const env = { STILLUP_OWNER_EMAIL: "ana@example.com", STILLUP_BASE_URL: "http://up.example.com:7070" };
    const server = await container.serve({ env });
    const [, token] = await server.prints(/"url":"http:\/\/up\.example\.com:7070\/invite\/(\w+)"/);
    const anybody = new Client(server.url, undefined);
    expect(await anybody.get(`/api/v1/invites/${token}`)).toMatchObject({
      status: 200,
      body: { data: { email: "ana@example.com", role: "owner" } },
    });
  },
  300_000,
);

test.skipIf(lacksNamespaces)(
  "behavior 24.20, 24.24: a container that may write nothing runs a demonstration, which connects to nobody",
  async () => {
    await using container = new Container(await builtImage());
    const server = container.start(["serve", "--demo", "--port", "0"], { hasNetwork: false });
    await server.prints(/listening on http:\/\/0\.0\.0\.0:\d+/);
    expect(readdirSync(container.volume)).toEqual([]);
    expect(await server.end("SIGTERM")).toBe(0);
  },
  300_000,
);

test.skipIf(lacksNamespaces)(
  "behavior 13.47: a probe works in a container that may write only its volume",
  async () => {
    await using container = new Container(await builtImage());
    await Bun.write(join(container.volume, "key"), `stillup_probe_${"a".repeat(43)}\n`);
    container.own();
    const probe = container.start([
      ...["probe", "--server", "http://127.0.0.1:1", "--key-file", "/var/lib/stillup/key"],
    ]);
    await probe.prints(/the server can't be reached/);
    expect(readdirSync(container.volume)).toContain("probe.db");
    expect(await probe.end("SIGTERM")).toBe(0);
  },
);

test.skipIf(cannotInject())(
  "behavior 9.110: a first start that fails leaves nothing behind, whenever its disk is full",
  async () => {
    await using binary = new Binary();
    let failed = 0;
    for (let at = 1; ; at += isLong ? 1 : at) {
      const parent = join(binary.folder, `${at}`);
      const data = join(parent, "data");
      mkdirSync(parent);
      using fault = new Fault(parent, { kind: "ENOSPC", calls: "writes", at, times: 1_000_000 });
      const { under } = fault;
      const message = await binary.serve(["--data-dir", data], {}, { under }).then(
        (server) => server.kill(),
        (error: Error) => error.message,
      );
      // From here on, the next start continues.
      if (existsSync(join(data, "stillup.db"))) break;
      expect(message).toEndWith(`stillup: ${data}/stillup.db can't be opened: database or disk is full\n`);
      expect(readdirSync(parent)).toEqual([]);
      failed++;
    }
    expect(failed).toBeGreaterThan(isLong ? 10 : 4);
  },
  600_000,
);
