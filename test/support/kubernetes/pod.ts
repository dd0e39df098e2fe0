import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Image, RunningContainer } from "../environments/container.ts";
import { eventually } from "../eventually.ts";
import type { Ended } from "../product/binary.ts";
import { tempDir } from "../temp-dir.ts";
import { type Manifest, workloadOf } from "./manifests.ts";

/** The cluster beside the objects. Secrets and ConfigMaps: text by key, by name. */
interface Cluster {
  image: Image;
  secrets?: Record<string, Record<string, string>>;
  configMaps?: Record<string, Record<string, string>>;
  /** The user and the group that OpenShift gives to pods which ask for none. */
  given?: number;
  /** Settings that differ from the manifest, because pods with the network of this machine share its ports. */
  onThisNetwork?: Record<string, string>;
}

/** Keys of a Secret or a ConfigMap that are files. */
interface Source {
  name: string;
  items: { key: string; path: string }[];
}

interface Mount {
  from: string;
  to: string;
  readOnly: boolean;
}

/** $1: the root of the image; $2: user; $3: group; $4: of the volumes; $5: the sysctls as lines; then the command. */
const ENTER = `
root=$1 user=$2 group=$3 volumes=$4 sysctls=$5; shift 5
ip link set lo up
[ -z "$sysctls" ] || printf '%s\\n' "$sysctls" | while IFS='=' read -r name value; do
  echo "$value" >"/proc/sys/$(echo "$name" | tr . /)"
done
mount --bind "$root/image" "$root/image"
while read -r from to mode; do
  mount --bind "$from" "$root/image$to"
  [ "$mode" = rw ] || mount -o remount,bind,ro "$root/image$to"
done <"$root/mounts"
mount -t proc proc "$root/image/proc"
mount -o remount,bind,ro "$root/image"
exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid \
  chroot --userspec="$user:$group" --groups="$volumes" "$root/image" "$@"`;

/**
 * The pod of a workload, run as a kubelet runs it: its variables, files, user, groups and sysctls, without a capability, with a root that
 * can't be written, and with volumes that belong to root and the group of the pod. Needs root. Memory and processor are not limited.
 */
export class Pod implements AsyncDisposable {
  readonly env: Record<string, string>;
  readonly #dir = tempDir();
  readonly #spec;
  readonly #container;
  #running: RunningContainer | undefined;

  constructor(
    private readonly manifests: Manifest[],
    private readonly cluster: Cluster,
  ) {
    this.#spec = workloadOf(manifests).spec.template.spec;
    this.#container = this.#spec.containers[0];
    const { readOnlyRootFilesystem, capabilities, allowPrivilegeEscalation } =
      this.#container.securityContext;
    if (!readOnlyRootFilesystem || allowPrivilegeEscalation !== false || `${capabilities.drop}` !== "ALL")
      throw new Error("a pod with more rights does not run here");
    this.env = { ...this.#links(), ...this.#variables(), ...cluster.onThisNetwork };
    this.#createRoot();
  }

  /** The directory of this machine that is the volume for data. */
  get volume(): string {
    return join(this.#dir.path, "volumes/data");
  }

  /** Starts the container. A second start has the same volumes, as after a restart. */
  start(): RunningContainer {
    const { user, group, volumes } = this.#ids;
    const { sysctls = [] } = this.#spec.securityContext;
    const lines = sysctls.map(({ name, value }: { name: string; value: string }) => `${name}=${value}`);
    const spaces = [
      "--mount",
      "--propagation=private",
      "--pid",
      "--fork",
      ...(this.#isAlone ? ["--net"] : []),
    ];
    const given = [this.#dir.path, user, group, volumes, lines.join("\n")].map(String);
    const child = Bun.spawn(
      [
        ...["unshare", ...spaces, "sh", "-ec", ENTER, "sh", ...given],
        ...[...this.cluster.image.command, ...this.#container.args],
      ],
      { env: { PATH: process.env.PATH, ...this.env }, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#running = new RunningContainer(child);
    return this.#running;
  }

  /** Starts the container, and waits until its startup probe succeeds. @throws if it ends before */
  async serve(): Promise<RunningContainer> {
    const running = this.start();
    await running.prints(/listening on/);
    await eventually(async () => (await this.probe("startupProbe")) === 200);
    return running;
  }

  /** The status of the answer to a probe. */
  async probe(name: "startupProbe" | "livenessProbe" | "readinessProbe"): Promise<number> {
    const { path, port } = this.#container[name].httpGet;
    if (port !== this.#container.ports[0].name) throw new Error(`no port ${port}`);
    const code = await this.curl(path, "--output", "/dev/null", "--write-out", "%{http_code}");
    return Number(code);
  }

  /**
   * Sends a request to the server from this machine, or from the network of the pod.
   * @returns the body
   * @throws if there is no answer, with what the server has printed
   */
  async curl(path: string, ...options: string[]): Promise<string> {
    const into = this.#isAlone ? ["nsenter", "--net", "--target", String(this.#pid)] : [];
    const url = `http://127.0.0.1:${this.env.STILLUP_PORT}${path}`;
    const child = Bun.spawn(
      [...into, "curl", "--silent", "--show-error", "--max-time", "30", ...options, url],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const [body, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code === 0) return body;
    throw new Error(`${path}: exit code ${code}: ${errors}\n${this.#running?.printed}`);
  }

  /** Runs a command in the running container, as `kubectl exec` does. */
  async exec(...command: string[]): Promise<Ended> {
    const { user, group } = this.#ids;
    const target = ["--target", String(this.#pid), "--mount", "--pid", "--net", "--root", "--wd"];
    const as = ["--setuid", String(user), "--setgid", String(group)];
    const child = Bun.spawn(["nsenter", ...target, ...as, ...command], {
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.kill();
    this.#dir[Symbol.dispose]();
  }

  get #isAlone(): boolean {
    return this.cluster.onThisNetwork === undefined;
  }

  /** @property volumes the group of the volumes */
  get #ids(): { user: number; group: number; volumes: number } {
    const { runAsUser, runAsGroup, fsGroup } = this.#spec.securityContext;
    const { given } = this.cluster;
    const ids = { user: runAsUser ?? given, group: runAsGroup ?? 0, volumes: fsGroup ?? given };
    if (ids.user === undefined) throw new Error("the pod has no user, and the image names 10001");
    return ids;
  }

  get #pid(): number {
    if (!this.#running) throw new Error("the pod does not run");
    return this.#running.pid;
  }

  /** The variables that a kubelet adds for each Service of the namespace. */
  #links(): Record<string, string> {
    if (this.#spec.enableServiceLinks === false) return {};
    return Object.fromEntries(
      this.manifests
        .filter(({ kind }) => kind === "Service")
        .flatMap(({ metadata, spec }) => {
          const name = metadata.name.toUpperCase().replaceAll("-", "_");
          const port = spec.ports[0].port;
          return [
            [`${name}_SERVICE_HOST`, "10.96.0.10"],
            [`${name}_PORT`, `tcp://10.96.0.10:${port}`],
          ];
        }),
    );
  }

  #variables(): Record<string, string> {
    const { env, envFrom = [] } = this.#container;
    const all: Record<string, string> = {};
    for (const { configMapRef } of envFrom) Object.assign(all, this.#configMap(configMapRef.name));
    for (const { name, value, valueFrom } of env) {
      const ref = valueFrom?.secretKeyRef;
      all[name] = ref ? textOf(this.#secret(ref.name), ref.key) : value;
    }
    return all;
  }

  #secret(name: string): Record<string, string> {
    const secret = this.cluster.secrets?.[name];
    if (!secret) throw new Error(`there is no Secret ${name}`);
    return secret;
  }

  #configMap(name: string): Record<string, string> {
    const rendered = this.manifests.find(
      ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === name,
    );
    const data = rendered?.data ?? this.cluster.configMaps?.[name];
    if (!data) throw new Error(`there is no ConfigMap ${name}`);
    return data;
  }

  #createRoot(): void {
    const mounts = [
      ...this.#system(),
      ...this.#container.volumeMounts.map((mount: never) => this.#mount(mount)),
    ];
    for (const path of ["/proc", ...mounts.filter(({ from }) => isFolder(from)).map(({ to }) => to)])
      mkdirSync(join(this.#dir.path, "image", path), { recursive: true });
    for (const { to } of mounts.filter(({ from }) => !isFolder(from))) {
      const path = join(this.#dir.path, "image", to);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "");
    }
    const lines = mounts.map(({ from, to, readOnly }) => `${from} ${to} ${readOnly ? "ro" : "rw"}\n`);
    writeFileSync(join(this.#dir.path, "mounts"), lines.join(""));
  }

  /** The files of the image, and what an engine and a kubelet add. */
  #system(): Mount[] {
    const own = (name: string, text: string) => {
      const from = join(this.#dir.path, name);
      writeFileSync(from, text);
      return { from, to: `/etc/${name}`, readOnly: true };
    };
    const files = Object.entries(this.cluster.image.files);
    return [
      ...files.map(([to, from]) => ({ from: resolve(from), to, readOnly: true })),
      { from: "/dev/null", to: "/dev/null", readOnly: false },
      own("hosts", "127.0.0.1 localhost\n"),
      own("resolv.conf", "nameserver 127.0.0.1\n"),
    ];
  }

  #mount({
    name,
    mountPath,
    readOnly = false,
  }: {
    name: string;
    mountPath: string;
    readOnly?: boolean;
  }): Mount {
    const { volumeClaimTemplates = [] } = workloadOf(this.manifests).spec;
    const claimed = volumeClaimTemplates.some(({ metadata }: Manifest) => metadata.name === name);
    const volume = claimed
      ? { persistentVolumeClaim: {} }
      : this.#spec.volumes.find((volume: { name: string }) => volume.name === name);
    const from = join(this.#dir.path, "volumes", name);
    mkdirSync(from, { recursive: true });
    if (volume.projected) this.#project(from, volume.projected);
    else if (volume.configMap) this.#project(from, { sources: [{ configMap: volume.configMap }] });
    else this.#share(from, volume.emptyDir ? 0o2777 : 0o2775);
    return { from, to: mountPath, readOnly };
  }

  /** Files of a Secret or a ConfigMap: links to links, so that a kubelet can change all of them at once. */
  #project(
    folder: string,
    {
      sources,
      defaultMode = 0o644,
    }: { sources: { secret?: Source; configMap?: Source }[]; defaultMode?: number },
  ): void {
    const version = join(folder, "..2026_01_01");
    mkdirSync(version);
    symlinkSync("..2026_01_01", join(folder, "..data"));
    for (const { secret, configMap } of sources) {
      const { name = "", items = [] } = secret ?? configMap ?? {};
      const data = secret ? this.#secret(name) : this.#configMap(name);
      for (const { key, path } of items) {
        writeFileSync(join(version, path), textOf(data, key));
        this.#share(join(version, path), defaultMode);
        symlinkSync(`..data/${path}`, join(folder, path));
      }
    }
  }

  /** To root and the group of the pod. */
  #share(path: string, mode: number): void {
    chownSync(path, 0, this.#ids.volumes);
    chmodSync(path, mode);
  }
}

function textOf(data: Record<string, string>, key: string): string {
  const text = data[key];
  if (text === undefined) throw new Error(`there is no key ${key}`);
  return text;
}

function isFolder(from: string): boolean {
  return from.includes("/volumes/");
}
