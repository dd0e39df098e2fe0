import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { armImage, Container } from "../support/environments/container.ts";
import { isLong } from "../support/long.ts";
import { Debian } from "../support/release/debian.ts";
import { archiveOf, unpack } from "../support/release/release.ts";
import { Client } from "../support/requests/client.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

interface Line {
  instruction: string;
  words: string;
}

function linesOf(containerfile: string): Line[] {
  return [...containerfile.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, instruction = "", words = ""]) => ({
    instruction,
    words,
  }));
}

// No container engine runs here: the test does by hand what an engine does with each line.
test.skipIf(!isLong || isMissing(["debootstrap", "unshare"], { root: true }))(
  "the server runs with only the files of the Containerfile, as its user",
  async () => {
    using dir = tempDir();
    await using debian = await Debian.create();
    const folder = await unpack(archiveOf("linux-x64"), dir.path);
    const lines = linesOf(await Bun.file(join(folder, "Containerfile")).text());
    const start = lines.findIndex(({ words }) => words === "scratch");
    const last = (instruction: string) =>
      lines.findLast((line) => line.instruction === instruction)?.words ?? "";

    for (const { instruction, words } of lines.slice(1, start)) {
      if (instruction === "RUN") expect(await debian.runAlone(words)).toEqual({ code: 0, printed: "" });
      if (instruction !== "COPY") continue;
      const [from = "", to = ""] = words.split(" ");
      mkdirSync(join(debian.root, to, ".."), { recursive: true });
      copyFileSync(join(folder, from), join(debian.root, to));
    }
    expect(lines[start + 1]).toEqual({ instruction: "COPY", words: "--from=files /image /" });
    const image = join(debian.root, "image");
    expect(readdirSync(image).sort()).toEqual(["lib", "lib64", "usr", "var"]);

    // Every engine adds these.
    mkdirSync(join(image, "proc"));
    mkdirSync(join(image, "dev"));
    writeFileSync(join(image, "dev/null"), "");
    const [user, group] = last("USER").split(":");
    const enter = ["unshare", "--mount", "--mount-proc", `--root=${image}`];
    const run = (words: string[], port: string) =>
      Bun.spawn([...enter, `--setgid=${group}`, `--setuid=${user}`, ...words], {
        env: {
          ...Object.fromEntries(new URLSearchParams(last("ENV").replaceAll(" ", "&"))),
          STILLUP_PORT: port,
        },
        stdio: ["ignore", "pipe", "ignore"],
      });
    const [, check = "[]"] = / CMD (\[.*\])$/.exec(last("HEALTHCHECK")) ?? [];
    const health = (port: string) => run(JSON.parse(check), port).exited;
    const child = run([...JSON.parse(last("ENTRYPOINT")), ...JSON.parse(last("CMD"))], "0");
    let port = "";
    try {
      for await (const chunk of child.stdout) {
        port = /listening on http:\/\/0\.0\.0\.0:(\d+)/.exec(new TextDecoder().decode(chunk))?.[1] ?? "";
        if (port) break;
      }
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/status`)).status).toBe(401);
      expect(await health(port)).toBe(0);
      expect(existsSync(join(image, "var/lib/stillup/initial-owner-key"))).toBe(true);
    } finally {
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    }
    expect(await health(port)).toBe(1);
  },
);

const armNeeds = ["unshare", "setpriv", "ip", "qemu-aarch64-static", "/usr/aarch64-linux-gnu/lib/libc.so.6"];

test.skipIf(!isLong || isMissing(armNeeds, { root: true }))(
  "behavior 9.109: the image for 64-bit ARM starts and stops in a container that may write only its volume",
  async () => {
    using dir = tempDir();
    const folder = await unpack(archiveOf("linux-arm64"), dir.path);
    await using container = new Container(armImage(join(folder, "stillup")));
    const server = await container.serve();
    const client = new Client(server.url, container.key);
    const { body } = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
    expect(await (await fetch(body.data.checkinUrl.replace("0.0.0.0", "127.0.0.1"))).json()).toMatchObject({
      recorded: "ok",
    });
    expect(await container.run(["backup", "/var/lib/stillup/backup.db"])).toMatchObject({ code: 0 });
    expect(await container.run(["check"])).toMatchObject({ code: 0 });
    expect(await server.end("SIGTERM")).toBe(0);
  },
);
