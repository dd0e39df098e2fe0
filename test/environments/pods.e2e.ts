import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtImage } from "../support/environments/container.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import {
  HELM,
  KUBECTL,
  kustomize,
  type Manifest,
  template,
  workloadOf,
} from "../support/kubernetes/manifests.ts";
import { Pod } from "../support/kubernetes/pod.ts";
import { isMissing } from "../support/requirements.ts";
import { findPrograms } from "../support/store/postgres/programs.ts";
import { createTlsCluster, type TlsCluster } from "../support/store/postgres/tls-cluster.ts";

setDefaultTimeout(300_000);

const lacksTools = isMissing([HELM, KUBECTL, "unshare", "nsenter", "setpriv", "ip", "curl"], { root: true });
const lacksPostgres = lacksTools || findPrograms() === undefined;

const PROBES = ["startupProbe", "livenessProbe", "readinessProbe"] as const;

/** A request to the API with the key of the pod. @returns what it answers */
async function request(pod: Pod, path: string, body?: object) {
  const key = readFileSync(join(pod.volume, "initial-owner-key"), "utf8").trim();
  const data = body ? ["--header", "content-type: application/json", "--data", JSON.stringify(body)] : [];
  return JSON.parse(await pod.curl(path, "--header", `authorization: Bearer ${key}`, ...data));
}

const PING = { name: "a host", type: "TCP", config: { host: "127.0.0.1", protocol: "icmp", interval: 1 } };

test.skipIf(lacksTools)(
  "a pod of the chart starts, pings, obeys kubectl exec, and stops, while it may write only to its volume",
  async () => {
    const manifests = await template({ ownerEmail: "ana@example.com" }, { release: "stillup" });
    await using pod = new Pod(manifests, { image: await builtImage() });
    const running = await pod.serve();
    // The link of the notes.
    const [, link = ""] = await running.prints(/"url":"http:\/\/stillup\.watch\.svc(\/invite\/[^"]+)"/);
    expect(await pod.curl(link)).toContain("<html");
    for (const probe of PROBES) expect(await pod.probe(probe)).toBe(200);
    const { data: monitor } = await request(pod, "/api/v1/monitors", PING);
    await eventually(async () => (await request(pod, `/api/v1/monitors/${monitor.id}`)).data.status === "up");
    expect(await request(pod, "/healthz")).not.toHaveProperty("ping");

    // The command of the notes.
    const created = await pod.exec("/usr/local/bin/stillup", "keys", "create", "--name", "mine");
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^stillup_\w+\n$/) });
    const backup = "/var/lib/stillup/backup.db";
    expect(await pod.exec("/usr/local/bin/stillup", "backup", backup)).toMatchObject({ code: 0 });
    const elsewhere = ["/backup.db", "/etc/stillup/backup.db", "/tmp/backup.db"];
    for (const path of elsewhere)
      expect((await pod.exec("/usr/local/bin/stillup", "backup", path)).code).not.toBe(0);
    expect(readFileSync(`/proc/${running.pid}/status`, "utf8")).toMatch(
      /Uid:\t10001\t10001(?:.|\n)*Gid:\t10001\t10001(?:.|\n)*CapEff:\t0+\n(?:.|\n)*NoNewPrivs:\t1/,
    );
    expect(await running.end("SIGTERM")).toBe(0);

    await pod.serve();
    expect((await request(pod, `/api/v1/monitors/${monitor.id}`)).data.name).toBe(PING.name);
  },
);

test.skipIf(lacksTools)(
  "a pod on OpenShift starts, pings and stops as a user that only the cluster knows",
  async () => {
    const manifests = await template({ openshift: true });
    await using pod = new Pod(manifests, { image: await builtImage(), given: 1_000_680_000 });
    const running = await pod.serve();
    const { data: monitor } = await request(pod, "/api/v1/monitors", PING);
    await eventually(async () => (await request(pod, `/api/v1/monitors/${monitor.id}`)).data.status === "up");
    expect(await pod.exec("/usr/local/bin/stillup", "keys", "create", "--name", "mine")).toMatchObject({
      code: 0,
    });
    expect(readFileSync(`/proc/${running.pid}/status`, "utf8")).toContain("Uid:\t1000680000\t1000680000");
    expect(await running.end("SIGTERM")).toBe(0);
  },
);

test.skipIf(lacksTools)("without the sysctl of the chart, pings are refused", async () => {
  await using pod = new Pod(await template({ ping: false }), { image: await builtImage() });
  await pod.serve();
  expect((await request(pod, "/api/v1/monitors", PING)).error).toContain("does not let stillup ping");
});

test.skipIf(lacksTools)(
  "the variables of a Service with the name stillup would be taken for settings, so the chart turns them off",
  async () => {
    const manifests = structuredClone(await template({}, { release: "stillup" }));
    const { spec } = workloadOf(manifests).spec.template;
    delete spec.enableServiceLinks;
    const own = spec.containers[0].env;
    spec.containers[0].env = own.filter(({ name }: { name: string }) => name !== "STILLUP_PORT");
    await using pod = new Pod(manifests, { image: await builtImage() });
    expect(await pod.start().ended).toMatchObject({
      code: 2,
      stderr: 'stillup: STILLUP_PORT must be a whole number from 0 to 65535, got "tcp://10.96.0.10:80"\n',
    });
  },
);

test.skipIf(lacksTools)(
  "a pod reads a document, its secrets and that of a provider from files and variables",
  async () => {
    const secret = (name: string, key: string) => ({ name, key });
    const values = {
      settings: { retentionDays: 30, acknowledgeLinks: false, logFormat: "json" },
      smtp: {
        url: "smtp://user@mail.example.com:587",
        from: "stillup@example.com",
        passwordSecret: secret("mail", "password"),
      },
      oidc: { issuer: "https://id.example.com", clientId: "stillup", clientSecret: secret("oidc", "secret") },
      configuration: {
        document: {
          monitors: {
            shop: {
              name: "shop",
              type: "HTTP",
              config: { url: "http://127.0.0.1:1", interval: 60, headers: { "X-Key": "${KEY}" } },
            },
          },
        },
        variables: { KEY: secret("shop", "key") },
      },
    };
    await using pod = new Pod(await template(values), {
      image: await builtImage(),
      secrets: {
        mail: { password: "of/the@mail" },
        oidc: { secret: "of the client\n" },
        shop: { key: "of the shop" },
      },
    });
    await pod.serve();
    expect((await request(pod, "/api/v1/monitors")).data).toMatchObject([{ name: "shop" }]);
    expect(await request(pod, "/healthz")).not.toHaveProperty("config");
    const help = await request(pod, "/api/v1/session/help");
    expect(help.data.provider).toMatchObject({ name: expect.any(String) });
    expect((await request(pod, "/api/v1/server")).data).toMatchObject({
      mail: { configured: true, from: "stillup@example.com" },
    });
  },
);

/** Pods on the network of this machine, where the database is. */
function podsOn(
  manifests: Manifest[],
  secrets: Record<string, Record<string, string>>,
  nodes: string[],
): Promise<Pod[]> {
  return Promise.all(
    nodes.map(async (name) => {
      const onThisNetwork = { STILLUP_PORT: String(freePort()), STILLUP_NODE_NAME: name };
      return new Pod(manifests, { image: await builtImage(), secrets, onThisNetwork });
    }),
  );
}

async function areNodes(pods: Pod[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (const pod of pods) stack.use(pod);
  const running = await Promise.all(pods.map((pod) => pod.serve()));
  await eventually(async () => {
    const health = await Promise.all(pods.map((pod) => pod.curl("/healthz")));
    return health.every((text) => JSON.parse(text).nodes === pods.length);
  });
  for (const pod of pods) for (const probe of PROBES) expect(await pod.probe(probe)).toBe(200);
  const [first, last] = [pods.at(0), running.at(-1)];
  const listed = await first?.exec("/usr/local/bin/stillup", "nodes");
  expect(JSON.parse(listed?.stdout ?? "")).toHaveLength(pods.length);
  // As in a rolling update: a node that stops still serves, but is not ready.
  const end = last?.end("SIGTERM");
  await eventually(async () => (await pods.at(-1)?.probe("readinessProbe")) === 503);
  expect(await pods.at(-1)?.probe("livenessProbe")).toBe(200);
  expect(await end).toBe(0);
  expect(await first?.probe("readinessProbe")).toBe(200);
}

async function withDatabase(use: (cluster: TlsCluster) => Promise<void>): Promise<void> {
  const cluster = await createTlsCluster();
  try {
    await cluster.setTls(true);
    await use(cluster);
  } finally {
    cluster.end();
  }
}

test.skipIf(lacksPostgres)(
  "pods of the chart are nodes of one database, with its password and authority from Secrets",
  () =>
    withDatabase(async ({ port, user, password, authority }) => {
      const manifests = await template({
        replicas: 2,
        postgres: {
          url: `postgresql://${user}@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=/etc/stillup/secrets/postgres-ca.crt`,
          passwordSecret: { name: "database", key: "password" },
          caSecret: { name: "authority", key: "ca.crt" },
        },
        settings: { drain: 3 },
      });
      const secrets = { database: { password }, authority: { "ca.crt": readFileSync(authority, "utf8") } };
      await areNodes(await podsOn(manifests, secrets, ["one", "two"]));
    }),
);

test.skipIf(lacksPostgres)(
  "pods of the manifests for kustomize are nodes of one database, and so is one of the chart",
  () =>
    withDatabase(async ({ port, user, password }) => {
      const url = `postgresql://${user}:${password}@localhost:${port}/postgres?sslmode=require`;
      const secrets = { "stillup-database": { url } };
      const pods = await podsOn(await kustomize("deploy/kustomize/postgres"), secrets, ["one"]);
      const postgres = { urlSecret: { name: "stillup-database", key: "url" } };
      const chart = await template({ postgres, settings: { drain: 3 } });
      await areNodes([...pods, ...(await podsOn(chart, secrets, ["two"]))]);
    }),
);

test.skipIf(lacksTools)(
  "a pod of the manifests for kustomize starts with its embedded database",
  async () => {
    await using pod = new Pod(await kustomize("deploy/kustomize/base"), { image: await builtImage() });
    await pod.serve();
    for (const probe of PROBES) expect(await pod.probe(probe)).toBe(200);
    const { data } = await request(pod, "/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
    expect(data.checkinUrl).toStartWith("http://stillup/");
  },
);
