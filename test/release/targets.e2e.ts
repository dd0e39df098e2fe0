import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { makeMuslLibraries, muslNeeds } from "../support/release/musl.ts";
import { archiveOf, unpack } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { tempDir } from "../support/temp-dir.ts";

interface Machine {
  target: string;
  needs: string[];
  emulator?: string[];
  /** Creates the libraries that this machine does not have. */
  libraries?: (executable: string, into: string) => Promise<void>;
}

const machines: Record<string, Machine> = {
  "this machine": { target: "linux-x64", needs: [] },
  "a processor without AVX2": {
    target: "linux-x64-baseline",
    needs: ["qemu-x86_64-static"],
    emulator: ["qemu-x86_64-static", "-cpu", "Nehalem"],
  },
  "a processor without AVX2, built for those with it": {
    target: "linux-x64",
    needs: ["qemu-x86_64-static"],
    emulator: ["qemu-x86_64-static", "-cpu", "Nehalem"],
  },
  "64-bit ARM": {
    target: "linux-arm64",
    needs: ["qemu-aarch64-static", "/usr/aarch64-linux-gnu/lib/libc.so.6"],
    emulator: ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
  },
  musl: {
    target: "linux-x64-musl",
    needs: muslNeeds(),
    libraries: makeMuslLibraries,
  },
};

describe.each(Object.entries(machines))("on %s", (name, { target, needs, emulator, libraries }) => {
  const isLeftOut = !isLong && name !== "this machine";
  test.skipIf(process.arch !== "x64" || isLeftOut || isMissing(needs))(
    "it checks a site, records a check-in, serves its page, backs up and stops cleanly",
    async () => {
      using dir = tempDir();
      mkdirSync(join(dir.path, "release"));
      mkdirSync(join(dir.path, "lib"));
      const built = join(await unpack(archiveOf(target), join(dir.path, "release")), "stillup");
      if (libraries) await libraries(built, join(dir.path, "lib"));
      const env = libraries && { LD_LIBRARY_PATH: join(dir.path, "lib") };
      await using binary = new Binary({ built, ...(emulator && { emulator }), ...(env && { env }) });
      await using site = new HttpTarget();

      expect((await binary.run(["version"])).stdout).toBe(`${version}\n`);
      const server = await binary.serve();
      const client = await server.client();
      const config = { url: site.url, interval: 10 };
      const { body } = await client.post("/api/v1/monitors", { name: "site", type: "HTTP", config });
      const job = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
      expect(await (await fetch(job.body.data.checkinUrl)).json()).toMatchObject({ recorded: "ok" });
      await eventually(
        async () => (await client.get(`/api/v1/monitors/${body.data.id}`)).body.data.status === "up",
      );
      const host = { type: "TCP", config: { host: "127.0.0.1", protocol: "icmp", interval: 60 } };
      const pinged = (await client.post("/api/v1/probe", host)).body;
      // The C library is found, whether the system allows pings or not.
      expect(pinged.data?.status ?? pinged.error).toMatch(/^up$|: set net\.ipv4\.ping_group_range /);
      expect(await (await fetch(server.url)).text()).toStartWith("<!doctype html>");
      expect((await binary.run(["backup", "copy.db"])).code).toBe(0);
      expect(await server.end("SIGTERM")).toBe(0);
    },
    300_000,
  );
});
