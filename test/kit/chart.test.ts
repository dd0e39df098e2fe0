import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { type SettingName, serveSettings, settings } from "../../src/config.ts";
import { readPage } from "../support/documentation/page.ts";
import { faultsOf } from "../support/kubernetes/faults.ts";
import {
  HELM,
  KUBECTL,
  kustomize,
  lint,
  type Manifest,
  notes,
  only,
  template,
  tryTemplate,
  workloadOf,
} from "../support/kubernetes/manifests.ts";
import { REFUSED, SETS } from "../support/kubernetes/values.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(60_000);

const lacksTools = isMissing([HELM, KUBECTL]);

const BASE = "deploy/kustomize/base";
const ON_POSTGRES = "deploy/kustomize/postgres";

/** Settings that the chart sets from other values than `settings`, or not at all. */
const ELSEWHERE: Partial<Record<SettingName, string>> = {
  dataDir: "a volume",
  databaseUrl: "postgres",
  databasePasswordFile: "postgres.passwordSecret",
  nodeName: "the name of the pod",
  host: "host",
  port: "the Service has any",
  baseUrl: "baseUrl",
  tlsCert: "the Ingress or the Gateway has it",
  tlsKey: "the Ingress or the Gateway has it",
  smtpUrl: "smtp.url",
  smtpPasswordFile: "smtp.passwordSecret",
  smtpFrom: "smtp.from",
  pageIcon: "a file",
  oidcIssuer: "oidc.issuer",
  oidcClientId: "oidc.clientId",
  oidcClientSecretFile: "oidc.clientSecret",
  oidcScopes: "oidc.scopes",
  oidcRoleClaim: "oidc.roleClaim",
  oidcRoles: "oidc.roles",
  oidcOrg: "oidc.organization",
  oidcOnly: "oidc.only",
  ownerEmail: "ownerEmail",
  config: "configuration",
  configOrg: "configuration.organization",
};

describe.skipIf(lacksTools).each(Object.entries(SETS))("the chart for %s", (_, values) => {
  test("passes the lint, and each of its objects the schema of its kind", async () => {
    expect(await lint(values)).toMatchObject({ code: 0 });
    const manifests = await template(values);
    expect((await Promise.all(manifests.map(faultsOf))).flat()).toEqual([]);
    expect(new Set(manifests.map(nameOf)).size).toBe(manifests.length);
  });

  test("runs stillup without a privilege, and leads to its pods and to no others", async () => {
    assertSound(await template(values), {
      isOnOpenshift: "openshift" in values,
      hasAccount: "discovery" in values,
    });
  });

  test("gives only settings that exist, with values that stillup accepts", async () => {
    for (const { name, value } of containerOf(await template(values)).env) {
      const known = Object.entries(settings).find(([, { variable }]) => variable === name);
      if (name.startsWith("STILLUP_")) expect(known?.[0]).toBeString();
      if (known && value !== undefined && !value.startsWith("/etc/"))
        expect({ name, value, parsed: known[1].parse(value) }).not.toMatchObject({ parsed: undefined });
    }
  });
});

describe.skipIf(lacksTools)("the chart", () => {
  test.each(REFUSED)("refuses %s", async (_, values, named) => {
    const { code, stderr } = await tryTemplate(values);
    expect(code).toBe(1);
    expect(stderr).toContain(named);
  });

  test("has a place for every setting of the server", async () => {
    const { properties } = (await Bun.file("deploy/chart/values.schema.json").json()).properties.settings;
    const left = serveSettings.filter((name) => !(name in ELSEWHERE));
    expect(Object.keys(properties).sort()).toEqual(left.sort());
  });

  test("has a StatefulSet with a volume on the embedded database, and a Deployment without one on PostgreSQL", async () => {
    const embedded = await template({});
    expect(kindsOf(embedded)).toEqual(["NetworkPolicy", "Pod", "Service", "StatefulSet"]);
    const { spec } = only(embedded, "StatefulSet");
    expect(spec).toMatchObject({ replicas: 1, serviceName: "up-stillup" });
    expect(spec.volumeClaimTemplates).toHaveLength(1);

    const shared = await template(SETS["PostgreSQL by the URL in a Secret, behind an Ingress"] ?? {});
    expect(kindsOf(shared)).toEqual([
      ...[
        "Deployment",
        "Ingress",
        "NetworkPolicy",
        "Pod",
        "PodDisruptionBudget",
        "Service",
        "ServiceMonitor",
      ],
    ]);
    expect(only(shared, "Deployment").spec).toMatchObject({
      replicas: 3,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
    expect(only(shared, "PodDisruptionBudget").spec).toMatchObject({ maxUnavailable: 1 });
    expect(only(shared, "ServiceMonitor").metadata.labels).toMatchObject({ release: "prometheus" });
  });

  test("behavior 28.115: may read hosts in the cluster, and nothing else, only if it discovers them", async () => {
    const roles = ["ServiceAccount", "ClusterRole", "ClusterRoleBinding"];
    const off = await template({ settings: { discover: "http=https://targets.example.com/sd" } });
    expect(kindsOf(off).filter((kind) => roles.includes(kind))).toEqual([]);
    expect(variableOf(off, "STILLUP_DISCOVER")).toBe("http=https://targets.example.com/sd");
    expect(workloadOf(off).spec.template.spec.serviceAccountName).toBeUndefined();

    const on = await template({ discovery: { kubernetes: true }, settings: { discover: "grace=600" } });
    expect(variableOf(on, "STILLUP_DISCOVER")).toBe("kubernetes,grace=600");
    expect(workloadOf(on).spec.template.spec).toMatchObject({
      serviceAccountName: "up-stillup",
      automountServiceAccountToken: true,
    });
    const verbs = ["get", "list", "watch"];
    expect(only(on, "ClusterRole").rules).toEqual([
      { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs },
      { apiGroups: ["gateway.networking.k8s.io"], resources: ["httproutes"], verbs },
    ]);
    const { roleRef, subjects } = only(on, "ClusterRoleBinding");
    expect(roleRef).toMatchObject({ kind: "ClusterRole", name: only(on, "ClusterRole").metadata.name });
    expect(subjects).toEqual([{ kind: "ServiceAccount", name: "up-stillup", namespace: "watch" }]);
    expect(variableOf(await template({ discovery: { kubernetes: true } }), "STILLUP_DISCOVER")).toBe(
      "kubernetes",
    );
  });

  test("restarts its pods when the document changes, and not otherwise", async () => {
    const document = (name: string) => ({ configuration: { document: { monitors: { [name]: {} } } } });
    const [one, same, other] = await Promise.all(["a", "a", "b"].map((name) => template(document(name))));
    const annotationsOf = (manifests: Manifest[] = []) =>
      workloadOf(manifests).spec.template.metadata.annotations["stillup.dev/configuration"];
    expect(annotationsOf(one)).toBe(annotationsOf(same));
    expect(annotationsOf(one)).not.toBe(annotationsOf(other));
  });

  test("leaves the document as it is", async () => {
    const text = "monitors: {}\n# ${NAME} and {{ braces }} are not touched.\n";
    const { data } = only(await template({ configuration: { document: text } }), "ConfigMap");
    expect(data["stillup.yaml"]).toBe(text);
  });

  test.each([
    [{}, "http://up-stillup.watch.svc"],
    [{ service: { port: 7070 } }, "http://up-stillup.watch.svc:7070"],
    [{ ingress: { enabled: true, hosts: ["a.example.com", "b.example.com"] } }, "http://a.example.com"],
    [{ ingress: { enabled: true, hosts: ["a.example.com"], tlsSecret: "tls" } }, "https://a.example.com"],
    [
      { httpRoute: { enabled: true, parentRefs: [{}], hostnames: ["a.example.com"] } },
      "https://a.example.com",
    ],
    [
      { baseUrl: "https://up.example.com", ingress: { enabled: true, hosts: ["a"] } },
      "https://up.example.com",
    ],
  ])("with %j has the base URL %s", async (values, url) => {
    expect(variableOf(await template(values), "STILLUP_BASE_URL")).toBe(url);
    expect(await notes(values)).toContain(` is at ${url}\n`);
  });

  test("behavior 26.160: routes only the path of the base URL to stillup, and all paths of the host of a status page", async () => {
    const baseUrl = "https://example.com/up/time/";
    const hosts = ["example.com", "status.example.com"];
    const { spec } = only(await template({ baseUrl, ingress: { enabled: true, hosts } }), "Ingress");
    const places = (spec.rules as { host: string; http: { paths: { path: string }[] } }[]).map(
      ({ host, http }) => [host, ...http.paths.map(({ path }) => path)],
    );
    expect(places).toEqual([
      ["example.com", "/up/time"],
      ["status.example.com", "/"],
    ]);
    const routed = async (hostnames: string[], url = baseUrl) => {
      const httpRoute = { enabled: true, parentRefs: [{}], hostnames };
      const { spec } = only(await template({ baseUrl: url, httpRoute }), "HTTPRoute");
      return spec.rules[0].matches[0].path.value;
    };
    expect(await routed(["example.com"])).toBe("/up/time");
    expect(await routed(hosts)).toBe("/");
    expect(await routed(["example.com"], "https://example.com")).toBe("/");
  });

  test("drains a node only where another one takes its requests", async () => {
    const times = async (values: object) => {
      const manifests = await template(values);
      const { terminationGracePeriodSeconds } = workloadOf(manifests).spec.template.spec;
      return [variableOf(manifests, "STILLUP_DRAIN"), terminationGracePeriodSeconds];
    };
    const postgres = { urlSecret: { name: "a", key: "b" } };
    expect(await times({})).toEqual(["0", 30]);
    expect(await times({ postgres })).toEqual(["10", 40]);
    expect(await times({ postgres, settings: { drain: 0 } })).toEqual(["0", 30]);
    expect(await times({ postgres, settings: { drain: 300 } })).toEqual(["300", 330]);
  });

  test("reads on and off as YAML does", async () => {
    const links = async (acknowledgeLinks: unknown) =>
      variableOf(await template({ settings: { acknowledgeLinks } }), "STILLUP_ACKNOWLEDGE_LINKS");
    expect(await Promise.all([true, false, "on", "off"].map(links))).toEqual(["on", "off", "on", "off"]);
  });

  test("has names that fit, whatever the name of the release", async () => {
    for (const release of ["stillup", "my-stillup", "a".repeat(53)])
      for (const { metadata } of await template({ configuration: { document: "monitors: {}" } }, { release }))
        expect(metadata.name).toMatch(/^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
    expect(workloadOf(await template({}, { release: "stillup" })).metadata.name).toBe("stillup");
  });

  test("says how the first owner signs in", async () => {
    const exec =
      "kubectl --namespace watch exec statefulset/up-stillup -- /usr/local/bin/stillup keys create";
    expect(await notes({})).toContain(exec);
    const invited = await notes({ ownerEmail: "ana@example.com" });
    expect(invited).toContain("invites ana@example.com, and logs the link once");
    expect(invited).toContain("grep /invite/");
    const postgres = { urlSecret: { name: "a", key: "b" } };
    expect(await notes({ postgres })).toContain("exec deployment/up-stillup --");
  });
});

const { blocks } = await readPage("docs/kubernetes.md");
const shown = blocks
  .filter(({ mark }) => mark === "tested by test/kit/chart.test.ts")
  .map(({ text }) => text);
const [kustomization = "", ...examples] = [...shown].reverse();

describe.skipIf(lacksTools)("docs/kubernetes.md", () => {
  test.each(examples.map((text) => [text.slice(0, text.indexOf("\n")), text] as const))(
    "has values that the chart accepts: %s",
    async (_, example) => {
      const values: object = parse(example);
      expect(await lint(values)).toMatchObject({ code: 0 });
      const manifests = await template(values);
      expect((await Promise.all(manifests.map(faultsOf))).flat()).toEqual([]);
      assertSound(manifests, { hasAccount: "discovery" in values });
    },
  );

  test("has a kustomization that changes the settings", async () => {
    using dir = tempDir();
    cpSync("deploy", join(dir.path, "deploy"), { recursive: true });
    await Bun.write(join(dir.path, "own/kustomization.yaml"), kustomization);
    const manifests = await kustomize(join(dir.path, "own"));
    assertSound(manifests);
    expect(only(manifests, "ConfigMap").data).toEqual({
      STILLUP_BASE_URL: "https://up.example.com",
      STILLUP_OWNER_EMAIL: "ana@example.com",
      STILLUP_TRUSTED_PROXIES: "10.0.0.0/8",
    });
    const [{ configMapRef }] = containerOf(manifests).envFrom;
    expect(configMapRef.name).toBe(only(manifests, "ConfigMap").metadata.name);
  });

  test("names every Secret that the chart takes, and only values that exist", async () => {
    const page = await Bun.file("docs/kubernetes.md").text();
    const chart = await Bun.file("deploy/chart/values.yaml").text();
    const paths = [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, path = ""]) => path);
    const at = (path: string) => path.split(".").reduce((value, key) => value?.[key], parse(chart));
    expect(paths.filter((path) => at(path) === undefined)).toEqual([]);
    const secrets = [...chart.matchAll(/^ {2}(\w*Secret): /gm)].map(([, name]) => name);
    expect(paths.map((path) => path.split(".").at(-1))).toEqual(expect.arrayContaining(secrets));
  });
});

test.skipIf(lacksTools)(
  "behavior 28.115: docs/discovery.md has the same rights as the chart, and objects that are valid",
  async () => {
    const { blocks } = await readPage("docs/discovery.md");
    const block = blocks.find(({ mark }) => mark === "tested by test/kit/chart.test.ts");
    const own = parseAllDocuments(block?.text ?? "").map((document): Manifest => document.toJS());
    expect((await Promise.all(own.map(faultsOf))).flat()).toEqual([]);
    const chart = await template(
      { discovery: { kubernetes: true } },
      { release: "stillup", namespace: "stillup" },
    );
    const withoutLabels = ({ metadata: { labels: _, ...metadata }, ...manifest }: Manifest) => ({
      ...manifest,
      metadata,
    });
    for (const manifest of own) expect(withoutLabels(only(chart, manifest.kind))).toEqual(manifest);
    expect(own).toHaveLength(3);
  },
);

describe.skipIf(lacksTools)("the manifests for kustomize", () => {
  test.each([BASE, ON_POSTGRES])("of %s pass the schemas, and are as sound as the chart", async (folder) => {
    const manifests = await kustomize(folder);
    expect((await Promise.all(manifests.map(faultsOf))).flat()).toEqual([]);
    assertSound(manifests);
  });

  test.each([
    [BASE, {}],
    [ON_POSTGRES, { replicas: 3, postgres: { urlSecret: { name: "stillup-database", key: "url" } } }],
  ])("of %s are the same as the chart", async (folder, values) => {
    const chart = await template(values, { release: "stillup" });
    const [own, theirs] = [await kustomize(folder), chart].map((manifests) =>
      manifests.filter(({ kind }) => kind !== "Pod" && kind !== "ConfigMap").map(comparable),
    );
    const byKind = (a: Manifest, b: Manifest) => a.kind.localeCompare(b.kind);
    expect(own?.sort(byKind)).toEqual(theirs?.sort(byKind) ?? []);
  });
});

/** Without what differs on purpose: where the base URL is, and the labels of Helm. */
function comparable(manifest: Manifest): Manifest {
  const copy = JSON.parse(JSON.stringify(manifest), (key, value) => {
    if (["app.kubernetes.io/instance", "app.kubernetes.io/version", "helm.sh/chart"].includes(key)) return;
    if (["app.kubernetes.io/managed-by", "namespace", "envFrom"].includes(key)) return;
    if (key !== "env") return value;
    return value.filter(({ name }: { name: string }) => name !== "STILLUP_BASE_URL");
  });
  return copy;
}

/** Fails unless the pods have no privilege, and all that selects pods selects the pods of stillup. */
function assertSound(manifests: Manifest[], { isOnOpenshift = false, hasAccount = false } = {}): void {
  const workload = workloadOf(manifests);
  const { metadata, spec } = workload.spec.template;
  expect(spec).toMatchObject({
    automountServiceAccountToken: hasAccount,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      ...(!isOnOpenshift && { runAsUser: 10_001, runAsGroup: 10_001, fsGroup: 10_001 }),
      seccompProfile: { type: "RuntimeDefault" },
    },
  });
  const container = containerOf(manifests);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(container.resources.limits.memory).toBeString();
  const volumes = [...(spec.volumes ?? []), ...(workload.spec.volumeClaimTemplates ?? [])];
  const named = volumes.map(({ name, metadata: { name: claimed } = { name } }) => claimed);
  expect(named.sort()).toEqual(container.volumeMounts.map(({ name }: { name: string }) => name).sort());
  for (const { name, readOnly } of container.volumeMounts) expect(readOnly === true).toBe(name !== "data");
  for (const selector of selectorsIn(manifests)) expect(metadata.labels).toMatchObject(selector);
  for (const { spec: other, kind } of manifests.filter(({ kind }) => kind === "Pod")) {
    expect(other.containers[0].securityContext).toEqual(container.securityContext);
    expect(other).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(kind).toBe("Pod");
  }
  const ports = container.ports.map(({ name }: { name: string }) => name);
  for (const { targetPort } of only(manifests, "Service").spec.ports) expect(ports).toContain(targetPort);
  const service = only(manifests, "Service");
  for (const name of JSON.stringify(manifests).matchAll(/"service":\{"name":"([^"]+)"/g))
    expect(name[1]).toBe(service.metadata.name);
  for (const { name, value } of container.env)
    if (/PASSWORD|SECRET/.test(name))
      expect({ name, value }).toEqual({ name, value: expect.stringMatching(/^\/etc\/stillup\/secrets\//) });
}

/** The labels by which the objects select pods. An empty selector would select every pod of the namespace. */
function selectorsIn(manifests: Manifest[]): object[] {
  const found = manifests.flatMap(({ kind, spec }) => {
    if (kind === "Service") return [spec.selector];
    if (kind === "NetworkPolicy") return [spec.podSelector.matchLabels];
    return spec?.selector?.matchLabels ? [spec.selector.matchLabels] : [];
  });
  for (const selector of found) expect(Object.keys(selector ?? {})).not.toEqual([]);
  return found;
}

function containerOf(manifests: Manifest[]) {
  return workloadOf(manifests).spec.template.spec.containers[0];
}

function variableOf(manifests: Manifest[], variable: string): string | undefined {
  return containerOf(manifests).env.find(({ name }: { name: string }) => name === variable)?.value;
}

function kindsOf(manifests: Manifest[]): string[] {
  return manifests.map(({ kind }) => kind).sort();
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}
