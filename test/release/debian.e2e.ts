import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { $ } from "bun";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { Debian } from "../support/release/debian.ts";
import { archiveOf } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { tempDir } from "../support/temp-dir.ts";

const HERE = "http://127.0.0.1:7070";
const DATA = "/var/lib/stillup";
const UPGRADE = "sh stillup-*/install.sh";
const PROBE = "stillup-probe";
const UNIT = "/usr/local/lib/systemd/system/stillup.service";

const DOCUMENTED = await Bun.file("docs/install.md").text();

/** The blocks of a section of docs/install.md. */
function blocks(section: string, language: "sh" | "ini"): string[] {
  const text = DOCUMENTED.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  const found = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, block = ""]) =>
    name === language ? [block] : [],
  );
  if (found.length === 0) throw new Error(`docs/install.md has no ${language} in a section ${section}`);
  return found;
}

/** The lines of shell of a section of docs/install.md. */
function documented(section: string): string {
  return blocks(section, "sh").join("");
}

async function onDebian(): Promise<Debian> {
  const debian = await Debian.create();
  const archive = archiveOf("linux-x64");
  copyFileSync(archive, join(debian.root, "root", basename(archive)));
  return debian;
}

const leftOut = !isLong || isMissing(["debootstrap", "systemd-nspawn", "curl", "git"], { root: true });

describe.skipIf(leftOut)("on a fresh Debian with systemd", () => {
  let debian: Debian;

  beforeAll(async () => {
    debian = await onDebian();
    await debian.boot();
  }, 300_000);

  afterAll(async () => debian[Symbol.asyncDispose]());

  const succeed = async (script: string) => {
    const { code, printed } = await debian.run(script);
    if (code !== 0) throw new Error(`${script}\n${printed}`);
    return printed;
  };
  /** Restarts the service with additions to its unit, until `systemctl revert`. */
  async function override(lines: string, service = "stillup"): Promise<void> {
    const folder = join(debian.root, `etc/systemd/system/${service}.service.d`);
    mkdirSync(folder, { recursive: true });
    await Bun.write(join(folder, "override.conf"), `[Service]\n${lines}\n`);
    await succeed(`systemctl daemon-reload; systemctl restart ${service}`);
  }
  const property = (name: string, service = "stillup") =>
    succeed(`systemctl show --property=${name} --value ${service}`);

  async function api(path: string, body?: object, method?: string) {
    const key = await succeed(`cat ${DATA}/initial-owner-key`);
    const options = body ? ["--json", JSON.stringify(body)] : [];
    if (method) options.push("-X", method);
    const answer = await debian.fetch(`${HERE}/api/v1${path}`, [
      "-H",
      `Authorization: Bearer ${key}`,
      ...options,
    ]);
    return JSON.parse(answer).data;
  }

  /** The resources as a client sees them, without fields that change by themselves. */
  async function contents() {
    const monitors: { id: string; name: string }[] = await api("/monitors");
    const results = await Promise.all(
      monitors.map(async ({ id }) => {
        const list: { id: string }[] = await api(`/monitors/${id}/results?limit=200`);
        return list.filter(
          (result) => !("createdAt" in result) || Date.parse(String(result.createdAt)) < started,
        );
      }),
    );
    const keys = JSON.parse(await succeed(`runuser -u stillup -- stillup keys list --data-dir ${DATA}`));
    const known = keys.map(({ lastUsedAt: _, ...key }: { lastUsedAt: unknown }) => key);
    return { monitors: monitors.map(({ id, name }) => ({ id, name })), results, keys: known };
  }
  let started = Number.POSITIVE_INFINITY;

  /** Monitors of two types with results, a channel and a key. */
  async function fill() {
    const site = { name: "site", type: "HTTP", config: { url: `${HERE}/`, interval: 1 } };
    const { id } = await api("/monitors", site);
    await api("/alerts", { name: "hook", type: "WEBHOOK", config: { url: "http://127.0.0.1:9/" } });
    const { checkinUrl } = await api("/monitors", { name: "job", type: "SCHEDULED", config: {} });
    for (let sent = 0; sent < 50; sent++) await debian.fetch(checkinUrl);
    await eventually(async () => (await api(`/monitors/${id}/results`)).length >= 2);
    await succeed(`runuser -u stillup -- stillup keys create --name another --data-dir ${DATA}`);
    started = Date.now();
  }

  test("the documented lines install it, and it runs as its own user, within the restrictions of the unit", async () => {
    const printed = await succeed(documented("Install"));
    expect(printed).toContain("Writing /usr/local/bin/stillup");
    expect(printed).toContain("active (running)");
    expect(printed).toContain("Listening on http://127.0.0.1:7070");
    expect(printed).toMatch(/^stillup_\w{43}$/m);
    expect(printed).toContain('"role": "owner"');
    expect(await debian.fetch(`${HERE}/api/v1/status`)).toBe('{"error":"Unauthorized"}');

    const status = await succeed("cat /proc/$(systemctl show --property=MainPID --value stillup)/status");
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^Seccomp:\t2$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(await succeed(`stat --format '%U %a' ${DATA} ${DATA}/stillup.db /etc/stillup/stillup.env`)).toBe(
      "stillup 700\nstillup 600\nroot 600",
    );
  }, 300_000);

  test("the thread that runs the checks has priority, and the main thread does not", async () => {
    expect(await property("LimitNICE")).toBe("30");
    const limits = await succeed(`cat /proc/${await property("MainPID")}/limits`);
    // If root itself may not raise the priority, as in many containers, this allows the same call.
    if (!/^Max nice priority +30 /m.test(limits)) {
      await override("AmbientCapabilities=CAP_SYS_NICE\nCapabilityBoundingSet=CAP_SYS_NICE\nPrivateUsers=no");
    }
    const pid = await property("MainPID");
    const lines = (await succeed(`cat /proc/${pid}/task/*/stat`)).split("\n");
    // The fields after the name in brackets, from the state on: proc(5).
    const nice = lines.map((line) => [line.split(" ", 1)[0], line.replace(/^.*\) /, "").split(" ")[16]]);
    expect(nice).toContainEqual([pid, "0"]);
    expect(nice.map(([, value]) => value)).toContain("-10");
    // The unit also allows the call for short time slices. Linux before 6.12 does not have it.
    const turns = (await succeed(`cat /proc/${pid}/task/*/sched`)).match(/(?<=^se\.slice\s*:\s*)\d+$/gm);
    if (turns) expect(turns).toContain("500000");
    await succeed("systemctl revert stillup; systemctl restart stillup");
  }, 300_000);

  test("the documented reload loads a new certificate, and does not stop the service", async () => {
    const folder = join(debian.root, "etc/stillup");
    const install = async () => {
      const authority = await createAuthority();
      const { cert, key } = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
      await Bun.write(join(folder, "cert.pem"), cert);
      await Bun.write(join(folder, "key.pem"), key);
      await Bun.write(join(folder, "authority.pem"), authority.cert);
    };
    const healthy = async () =>
      (
        await debian.fetch("https://127.0.0.1:7070/healthz", ["--cacert", join(folder, "authority.pem")])
      ).includes('"ok"');
    await install();
    const lines = "STILLUP_TLS_CERT=/etc/stillup/cert.pem\nSTILLUP_TLS_KEY=/etc/stillup/key.pem\n";
    await succeed(`printf '${lines}' >>/etc/stillup/stillup.env; systemctl restart stillup`);
    const pid = await property("MainPID");
    expect(await healthy()).toBe(true);

    await install();
    expect(await healthy()).toBe(false);
    await succeed(documented("Settings").split("\n").at(-2) ?? "");
    await eventually(healthy);
    expect(await property("MainPID")).toBe(pid);
    await succeed("sed -i '/^STILLUP_TLS/d' /etc/stillup/stillup.env; systemctl restart stillup");
  }, 300_000);

  test("behavior 9.153: the service reads the documented credentials, which no other user and no variable has", async () => {
    await succeed(documented("Secrets"));
    const folder = join(debian.root, "etc/stillup");
    const authority = await createAuthority();
    const { cert, key } = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
    await Bun.write(join(folder, "cert.pem"), cert);
    await Bun.write(join(folder, "authority.pem"), authority.cert);
    const headers = "headers: { X-Api-Key: '${SHOP_KEY}' }";
    const document = `monitors:\n  shop: { type: HTTP, config: { url: "${HERE}/", interval: 60, ${headers} } }\n`;
    await Bun.write(join(folder, "stillup.yaml"), document);
    const secrets = {
      "tls-key": key,
      "database-password": "s3cret d",
      "oidc-secret": "s3cret o",
      SHOP_KEY: "s3cret k",
    };
    for (const [name, text] of Object.entries(secrets))
      await Bun.write(join(folder, "credentials", name), text, { mode: 0o600 });
    const [lines = ""] = blocks("Secrets", "ini");
    const others = {
      STILLUP_SMTP_URL: "smtp://user@127.0.0.1:9",
      STILLUP_SMTP_FROM: "stillup@example.com",
      STILLUP_OIDC_ISSUER: "http://127.0.0.1:9",
      STILLUP_OIDC_CLIENT_ID: "stillup",
      STILLUP_TLS_CERT: "/etc/stillup/cert.pem",
      STILLUP_CONFIG: "/etc/stillup/stillup.yaml",
    };
    const environment = Object.entries(others).map(([name, value]) => `Environment=${name}=${value}\n`);
    await override(lines.replace("[Service]", "") + environment.join(""));

    const ask = async (path: string, ...options: string[]) => {
      const bearer = `Authorization: Bearer ${await succeed(`cat ${DATA}/initial-owner-key`)}`;
      const given = ["--cacert", join(folder, "authority.pem"), "-H", bearer, ...options];
      return JSON.parse(await debian.fetch(`https://127.0.0.1:7070${path}`, given));
    };
    expect(await ask("/healthz")).toMatchObject({ status: "ok" });
    const [shop] = (await ask("/api/v1/monitors")).data;
    expect(shop).toMatchObject({ ref: "shop", config: { headers: { "X-Api-Key": "•••" } } });
    await ask(`/api/v1/monitors/${shop.id}`, "-X", "DELETE");

    const environ = await succeed(`tr '\\0' '\\n' </proc/${await property("MainPID")}/environ`);
    expect(environ).toContain("STILLUP_SMTP_PASSWORD_FILE=/run/credentials/stillup.service/smtp-password");
    expect(environ).not.toMatch(/s3cret|the password/);
    const read = "cat /run/credentials/stillup.service/smtp-password";
    expect(await succeed(read)).toBe("the password");
    expect((await debian.run(`runuser -u nobody -- ${read}`)).printed).toContain("Permission denied");
    await succeed("systemctl revert stillup; rm /etc/stillup/stillup.yaml; systemctl restart stillup");
  }, 300_000);

  test("the environment file takes effect after the documented restart", async () => {
    await succeed("sed -i 's/^#STILLUP_PORT=.*/STILLUP_PORT=7171/' /etc/stillup/stillup.env");
    await succeed(documented("Settings").split("\n")[0] ?? "");
    expect(await property("StatusText")).toBe("Listening on http://127.0.0.1:7171");

    await succeed("echo STILLUP_PORT=none >>/etc/stillup/stillup.env");
    expect((await debian.run("systemctl restart stillup")).code).not.toBe(0);
    expect(await succeed("journalctl --unit=stillup --output=cat")).toContain(
      "STILLUP_PORT must be a whole number",
    );
    expect(await property("NRestarts")).toBe("0");
    await succeed("sed -i '/^STILLUP_PORT/d' /etc/stillup/stillup.env; systemctl start stillup");
  }, 300_000);

  test("with the documented additions to the unit it listens on a port below 1024", async () => {
    const [, lines = ""] = /^```ini\n(.*?)^```$/ms.exec(DOCUMENTED) ?? [];
    await succeed("groupadd --force ssl-cert");
    await override(`${lines.replace("[Service]", "")}Environment=STILLUP_PORT=80`);
    expect(await debian.fetch("http://127.0.0.1/api/v1/status")).toBe('{"error":"Unauthorized"}');
    await succeed("systemctl revert stillup; systemctl restart stillup");
  }, 300_000);

  /** Waits until the service runs as another process. */
  const startedAgain = (previous: string, service = "stillup") =>
    eventually(async () => {
      const pid = await property("MainPID", service);
      return pid !== previous && pid !== "0" && (await property("ActiveState", service)) === "active" && pid;
    }, 300_000);

  test("systemd restarts it when it is killed, when it hangs, and when it can't read what is due", async () => {
    const first = await property("MainPID");
    await succeed(`kill -KILL ${first}`);
    await startedAgain(first);

    await override("WatchdogSec=3");
    const second = await property("MainPID");
    await succeed(`kill -STOP ${second}`);
    const third = await startedAgain(second);
    const ended = "Failed with result 'watchdog'";
    const log = () => succeed("journalctl --unit=stillup --output=cat");
    expect((await log()).split(ended)).toHaveLength(2);

    using database = new Database(join(debian.root, DATA, "stillup.db"));
    database.run("ALTER TABLE monitor_states RENAME TO hidden");
    await eventually(async () => (await log()).split(ended).length === 3);
    database.run("ALTER TABLE hidden RENAME TO monitor_states");
    await startedAgain(third);
    await succeed("systemctl revert stillup; systemctl restart stillup");
  }, 300_000);

  /**
   * Upgrades to a version that is a shell script: the texts replace the commands `serve` and `probe`, and all others call the
   * real program.
   */
  async function upgradeTo(version: string, { serve, probe }: { serve?: string; probe?: string }) {
    const home = join(debian.root, "root");
    const release = readdirSync(home).find((name) => /x64$/.test(name)) ?? "";
    cpSync(join(home, release), join(home, version), { recursive: true });
    const real = `exec /root/${release}/stillup "$@"`;
    const script = `#!/bin/sh
      case $1 in
        version) echo ${version} ;;
        serve) ${serve ?? real} ;;
        probe) ${probe ?? real} ;;
        *) ${real} ;;
      esac`;
    await Bun.write(join(home, version, "stillup"), script, { mode: 0o755 });
    return debian.run(`sh ${version}/install.sh`);
  }

  test("behavior 13.69: the documented line installs a probe, which runs as its own user within the restrictions of its unit", async () => {
    const location = await api("/locations", { name: "fra" });
    const [line = ""] = documented("A probe").split("\n");
    const typed = `printf '%s\\n' ${location.key} | ${line.replace("https://up.example.com", HERE)}`;
    const printed = await succeed(typed);
    expect(printed).toContain(`probe of location fra is connected to ${HERE}`);
    expect(printed).not.toContain(location.key);
    expect(await property("ActiveState", PROBE)).toBe("active");

    const status = await succeed(`cat /proc/${await property("MainPID", PROBE)}/status`);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^Seccomp:\t2$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(
      await succeed("stat --format '%U:%G %a' /var/lib/stillup-probe /etc/stillup/stillup-probe.*"),
    ).toBe("stillup-probe:stillup-probe 700\nroot:root 600\nroot:stillup-probe 640");

    const config = { url: `${HERE}/`, interval: 1 };
    const seen = { name: "seen", type: "HTTP", config, locations: [location.id] };
    const { id } = await api("/monitors", seen);
    await eventually(async () => {
      const [latest] = await api(`/monitors/${id}/results`);
      return latest?.status === "up" && latest.detail.location === "fra";
    }, 300_000);
    await api(`/monitors/${id}`, undefined, "DELETE");
  }, 300_000);

  test("behavior 9.153: the key of a probe can be a credential", async () => {
    const [, lines = ""] = blocks("Secrets", "ini");
    await succeed("install -m 600 /etc/stillup/stillup-probe.key /etc/stillup/credentials/probe-key");
    await succeed("install -m 600 /dev/null /etc/stillup/stillup-probe.key");
    await override(lines.replace("[Service]", ""), PROBE);
    const since = Date.now();
    await eventually(async () => Date.parse((await api("/locations"))[0].lastSeenAt) > since, 300_000);
    await succeed(
      "install -m 640 -g stillup-probe /etc/stillup/credentials/probe-key /etc/stillup/stillup-probe.key",
    );
    await succeed(`systemctl revert ${PROBE}; systemctl restart ${PROBE}`);
  }, 300_000);

  test("a probe that is killed starts again, and one upgrade restarts the server and the probe", async () => {
    const first = await property("MainPID", PROBE);
    await succeed(`kill -KILL ${first}`);
    const second = await startedAgain(first, PROBE);
    const printed = await succeed(UPGRADE);
    expect(printed).toContain("systemctl restart stillup.service");
    expect(printed).toContain("systemctl restart stillup-probe.service");
    expect(await property("MainPID", PROBE)).not.toBe(second);
  }, 300_000);

  test("a version whose probe does not start is rolled back, for the server too", async () => {
    const { code, printed } = await upgradeTo("9.9.6", { probe: "exit 1" });
    expect(code).toBe(1);
    expect(printed).toContain("stillup 9.9.6 did not start; stillup");
    for (const service of ["stillup", PROBE]) expect(await property("ActiveState", service)).toBe("active");
    expect(await succeed("stillup version")).not.toBe("9.9.6");
  }, 300_000);

  test("a key that the server does not accept fails the installation, with the reason from the log", async () => {
    const wrong = `printf 'stillup_probe_%043d\\n' 0 | sh stillup-*/install.sh --probe --key-file -`;
    const { code, printed } = await debian.run(wrong);
    expect(code).toBe(1);
    expect(printed).toContain("it is not connected yet: see journalctl -u stillup-probe");
    expect(printed).toContain("the key");
  }, 300_000);

  test("the probe is removed without a trace, and the server stays", async () => {
    await succeed("sh stillup-*/install.sh --probe --purge");
    expect(await property("ActiveState", PROBE)).toBe("inactive");
    expect(await property("ActiveState")).toBe("active");
    const left = "find / -xdev -iname '*stillup-probe*' -not -path '/root/*' -not -path '/proc/*'";
    expect(await succeed(left)).toBe("");
    expect((await debian.run("id stillup-probe")).code).not.toBe(0);
    await succeed(`rm ${DATA}/before-upgrade-*.db`);
  }, 300_000);

  test("an upgrade of the running service keeps all data, and leaves a backup and the settings", async () => {
    await fill();
    const before = await contents();
    const pid = await property("MainPID");
    await succeed("echo '# mine' >>/etc/stillup/stillup.env");

    const printed = await succeed(UPGRADE);
    expect(printed).toContain("Backed up to /var/lib/stillup/before-upgrade-");
    expect(printed).toContain(`${HERE}/healthz is healthy`);
    expect(printed).toContain("is running.");
    expect(await property("MainPID")).not.toBe(pid);
    expect(await contents()).toEqual(before);
    expect(await succeed("tail -n 1 /etc/stillup/stillup.env")).toBe("# mine");
    expect(await succeed(`stat --format %U ${DATA}/before-upgrade-*.db`)).toBe("stillup");
    await succeed(
      `stillup restore ${DATA}/before-upgrade-*.db --data-dir /tmp/restored && stillup check --data-dir /tmp/restored`,
    );
  }, 300_000);

  test("after an upgrade of a stopped service, its next start uses the new unit", async () => {
    await succeed(`systemctl stop stillup; sed -i 's/^Description=.*/Description=previous/' ${UNIT}`);
    await succeed("systemctl daemon-reload");
    const printed = await succeed(UPGRADE);
    expect(printed).toContain("the new version runs from its next start");
    expect(await property("NeedDaemonReload")).toBe("no");
    expect(await property("Description")).toBe("stillup uptime monitoring");
    await succeed("systemctl start stillup");
  }, 300_000);

  test("a version that does not start is rolled back, together with its changes of the database", async () => {
    const before = await contents();
    // It leaves a database with the header of a newer version, which the previous version can't read.
    const serve = `printf '\\377' | dd of=${DATA}/stillup.db bs=1 seek=63 conv=notrunc status=none; exit 1`;
    const { code, printed } = await upgradeTo("9.9.8", { serve });
    expect(code).toBe(1);
    expect(printed).toContain("stillup 9.9.8 did not start; stillup");
    expect(printed).toContain("is running again");
    expect(await succeed(`find ${DATA} ! -user stillup`)).toBe("");
    expect(await contents()).toEqual(before);
  }, 300_000);

  test("a version that does not start is rolled back also if the unit is in another folder", async () => {
    const before = await contents();
    const elsewhere = "/etc/systemd/system/stillup.service";
    await succeed(`mv ${UNIT} ${elsewhere}; systemctl daemon-reload; systemctl restart stillup`);
    const { code, printed } = await upgradeTo("9.9.7", { serve: "exit 1" });
    expect(code).toBe(1);
    expect(printed).toContain("is running again");
    expect(await property("ActiveState")).toBe("active");
    expect(await property("FragmentPath")).toBe(elsewhere);
    expect(existsSync(join(debian.root, UNIT))).toBe(false);
    expect(await contents()).toEqual(before);
    await succeed(`mv ${elsewhere} ${UNIT}; systemctl daemon-reload; systemctl restart stillup`);
  }, 300_000);

  test("a service whose unit is in another folder is stopped when it is uninstalled", async () => {
    const elsewhere = "/etc/systemd/system/stillup.service";
    await succeed(`mv ${UNIT} ${elsewhere}; systemctl daemon-reload; systemctl restart stillup`);
    await succeed(documented("Uninstall"));
    expect(await property("ActiveState")).toBe("inactive");
    await succeed(`rm ${elsewhere}; systemctl daemon-reload; ${UPGRADE}`);
  }, 300_000);

  test("a version that reports that it is ready but does not respond is rolled back", async () => {
    const before = await contents();
    const ready = `systemd-notify --ready --status="Listening on ${HERE}"; exec sleep infinity`;
    const { code, printed } = await upgradeTo("9.9.9", { serve: ready });
    expect(code).toBe(1);
    expect(printed).toContain(`${HERE}/healthz can't be reached: `);
    expect(printed).toContain("stillup 9.9.9 started, but is unhealthy; stillup");
    expect(printed).toContain("is running again");
    expect(await contents()).toEqual(before);
  }, 300_000);

  test("an uninstall keeps the data, an install finds it again, and a purge deletes everything", async () => {
    const before = await contents();
    const removed = await succeed(documented("Uninstall"));
    expect(removed).toContain("systemctl disable");
    expect((await debian.run("command -v stillup")).code).not.toBe(0);
    await succeed(UPGRADE);
    expect(await contents()).toEqual(before);

    await succeed("sh stillup-*/install.sh --purge");
    const left =
      "find / -xdev -iname '*stillup*' -not -path '/root/*' -not -path '/proc/*' -not -path '/tmp/*'";
    expect(await succeed(`systemctl stop tmp.mount || true; ${left}`)).toBe("");
    expect((await debian.run("id stillup")).code).not.toBe(0);
  }, 300_000);

  test("an upgrade from the previous commit keeps its data", async () => {
    using previous = tempDir();
    await $`git worktree prune && git archive HEAD~1 | tar --extract --directory ${previous.path}`.quiet();
    await $`bun install --frozen-lockfile --silent && bun run --silent build`.cwd(previous.path).quiet();
    copyFileSync(join(previous.path, "dist/stillup"), join(debian.root, "usr/local/bin/stillup"));
    await succeed(`useradd --system --create-home --home-dir ${DATA} stillup; chmod 700 ${DATA}`);
    await succeed(
      `systemd-run --quiet --unit=previous --property=User=stillup stillup serve --data-dir ${DATA}`,
    );
    await eventually(async () => (await debian.fetch(`${HERE}/api/v1/status`)).includes("Unauthorized"));
    await fill();
    const before = await contents();
    expect(before.results.flat().length).toBeGreaterThanOrEqual(52);
    expect(before.keys).toHaveLength(2);
    await succeed("systemctl stop previous");

    expect(await succeed(UPGRADE)).toContain("Backed up to");
    await succeed("systemctl enable --now stillup");
    expect(await contents()).toEqual(before);
  }, 300_000);
});

describe.skipIf(leftOut)("on a fresh Debian without systemd", () => {
  test("the installer prints how to start a server and a probe, and these commands start them", async () => {
    await using debian = await onDebian();
    const { printed } = await debian.runAlone(documented("Install").split("\n").slice(0, 2).join("\n"));
    const [, lines = ""] = /To run stillup.*?\n(.*)$/s.exec(printed) ?? [];
    expect(printed).toContain("This system has no systemd");
    expect(lines).toContain("useradd");
    // This Debian shares the network of the host, so the port must be free.
    const start = lines.replace("exec ", "STILLUP_PORT=0 timeout 5 ");
    const { printed: output } = await debian.runAlone(start);
    expect(output).toMatch(/stillup is listening on http:\/\/127\.0\.0\.1:\d+/);
    expect(existsSync(join(debian.root, "usr/local/lib/systemd/system/stillup.service"))).toBe(false);

    const [install = ""] = documented("A probe").split("\n");
    const key = "printf 'stillup_probe_%043d\\n' 0";
    const typed = `${key} | ${install.replace("https://up.example.com", "http://127.0.0.1:1")}`;
    const [, probe = ""] = /To run the probe.*?\n(.*)$/s.exec((await debian.runAlone(typed)).printed) ?? [];
    const { printed: log } = await debian.runAlone(probe.replace("exec ", "timeout 2 "));
    expect(log).toContain("the server can't be reached");
  }, 300_000);

  test("it is installed into an image from a URL with a verified checksum, and starts when the image boots", async () => {
    await using debian = await Debian.create();
    using folder = tempDir();
    const archive = archiveOf("linux-x64");
    const names = [archive, join(archive, "..", "SHA256SUMS")];
    for (const file of names) copyFileSync(file, join(folder.path, basename(file)));
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => new Response(Bun.file(join(folder.path, new URL(url).pathname))),
    });
    const install = () => $`scripts/install.sh --root ${debian.root} ${server.url.href}`.quiet().nothrow();

    await Bun.write(join(folder.path, basename(archive)), "something else");
    const refused = await install();
    expect(refused.exitCode).toBe(1);
    expect(String(refused.stderr)).toContain("does not match SHA256SUMS");
    expect(existsSync(join(debian.root, "usr/local/bin/stillup"))).toBe(false);

    copyFileSync(archive, join(folder.path, basename(archive)));
    expect((await install()).exitCode).toBe(0);
    await debian.boot();
    await eventually(async () => (await debian.run("systemctl is-active stillup")).code === 0);
  }, 300_000);
});
