import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createSources } from "../../src/discovery/sources.ts";
import type { Source } from "../../src/domain/discovery/found.ts";
import { eventually } from "../support/eventually.ts";
import {
  type ApiServer,
  httpRoute,
  ingress,
  startApiServer,
  statusOf,
  writeAccount,
} from "../support/servers/api-server.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { tempDir } from "../support/temp-dir.ts";

const QUICK = { shortest: 5, longest: 20 };

function kubernetesSource({ account }: Pick<ApiServer, "account">): Source {
  const [source] = createSources({ kubernetes: {} }, { account, pauses: QUICK });
  if (!source) throw new Error("there is no source");
  return source;
}

const read = (source: Source) => source.read(new AbortController().signal);

const namesIn = async (source: Source) => (await read(source)).found.map(({ name }) => name);

test("behavior 28.45, 28.47: the hosts of a cluster, by GETs with the token of the pod", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.objects.ingresses = [ingress("shop", ["shop.test", "*.wild.test"], { tls: ["shop.test"] })];
  api.objects.httproutes = [httpRoute("api", ["api.test"])];
  const { found, faults } = await read(kubernetesSource(api));
  expect(faults).toEqual([]);
  expect(found.map(({ name, entries }) => [name, entries.map(({ ref }) => ref)])).toEqual([
    ["shop.test", ["kubernetes/shop.test"]],
    ["*.wild.test", []],
    ["api.test", ["kubernetes/api.test"]],
  ]);
  expect(api.requests.toSorted()).toEqual([
    "GET /apis/gateway.networking.k8s.io/v1/httproutes?limit=250",
    "GET /apis/networking.k8s.io/v1/ingresses?limit=250",
  ]);
  expect(api.tokens).toEqual(["first-token", "first-token"]);
});

test("behavior 28.47: a list is read in pages, and again if it expires meanwhile", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.objects.ingresses = Array.from({ length: 600 }, (_, at) => ingress(`shop-${at}`, [`${at}.test`]));
  const source = kubernetesSource(api);
  expect(await namesIn(source)).toHaveLength(600);
  expect(api.requests.filter((one) => one.includes("/ingresses"))).toEqual([
    "GET /apis/networking.k8s.io/v1/ingresses?limit=250",
    "GET /apis/networking.k8s.io/v1/ingresses?limit=250&continue=250",
    "GET /apis/networking.k8s.io/v1/ingresses?limit=250&continue=500",
  ]);
  api.expiries = 1;
  expect(await namesIn(source)).toHaveLength(600);
  api.expiries = 2;
  await expect(read(source)).rejects.toThrow(
    "the list of ingresses.networking.k8s.io has expired twice while it was read (410)",
  );
});

test("behavior 28.47: a list without an end is a fault once there are too many", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  const items = Array.from({ length: 250 }, (_, at) => ingress(`shop-${at}`, [`${at}.test`]));
  api.instead = ({ url }, response) => {
    if (!url?.includes("/ingresses")) return false;
    response.end(JSON.stringify({ metadata: { resourceVersion: "1", continue: "more" }, items }));
    return true;
  };
  await expect(read(kubernetesSource(api))).rejects.toThrow(
    "ingresses.networking.k8s.io: at most 10,000 can be read",
  );
});

test("behavior 28.47: a cluster without HTTPRoutes is no fault, and one without Ingresses is", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.objects.httproutes = undefined;
  api.objects.ingresses = [ingress("shop", ["shop.test"])];
  expect(await read(kubernetesSource(api))).toMatchObject({ found: [{ name: "shop.test" }], faults: [] });
  api.objects.ingresses = undefined;
  await expect(read(kubernetesSource(api))).rejects.toThrow(
    "the API server answered the list of ingresses.networking.k8s.io with 404",
  );
});

test("behavior 28.47: the token is read for each request, because it changes", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  const source = kubernetesSource(api);
  await read(source);
  api.token = "second-token";
  await expect(read(source)).rejects.toThrow(
    "the API server does not accept the token of the service account (401)",
  );
  writeAccount(directory.path, { token: "second-token" });
  expect(await namesIn(source)).toEqual([]);
});

test("behavior 28.47: each verb that the service account lacks is said with its resource", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.refused.add("list ingresses").add("list httproutes");
  await expect(read(kubernetesSource(api))).rejects.toThrow(
    "the service account may not list ingresses.networking.k8s.io (403): its role needs the verb list on this resource; " +
      "the service account may not list httproutes.gateway.networking.k8s.io (403): its role needs the verb list on this resource",
  );
});

test("behavior 28.47: a server with a certificate of another authority gets no token", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  const other = await createAuthority();
  writeAccount(directory.path, { ca: other.cert });
  await expect(read(kubernetesSource(api))).rejects.toThrow("the certificate of the server is not accepted");
  expect(api.tokens).toEqual([]);
});

test("behavior 28.47: a redirect is not followed", async () => {
  using directory = tempDir();
  using otherDirectory = tempDir();
  await using api = await startApiServer(directory.path);
  await using other = await startApiServer(otherDirectory.path);
  api.instead = (_, response) => {
    const { KUBERNETES_SERVICE_PORT: port } = other.account.env;
    response.writeHead(307, { location: `https://127.0.0.1:${port}/apis` }).end();
    return true;
  };
  await expect(read(kubernetesSource(api))).rejects.toThrow("with 307");
  expect(other.tokens).toEqual([]);
});

test("behavior 28.47: outside of a pod, the fault says what is missing", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  await expect(read(kubernetesSource({ account: { ...api.account, env: {} } }))).rejects.toThrow(
    "KUBERNETES_SERVICE_HOST is not set: stillup must run in a pod of the cluster",
  );
  const token = join(directory.path, "token");
  rmSync(token);
  await expect(read(kubernetesSource(api))).rejects.toThrow(
    `${token} can't be read: there is no such file or directory`,
  );
});

test("behavior 28.62: a list with another form is a fault", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  for (const body of [
    "null",
    "[]",
    '{"metadata":{}}',
    '{"metadata":{},"items":{}}',
    '{"metadata":{},"items":[1]}',
  ]) {
    api.instead = ({ url }, response) => {
      if (!url?.includes("/ingresses")) return false;
      response.end(body);
      return true;
    };
    await expect(read(kubernetesSource(api))).rejects.toThrow(
      /^the answer is no list of|^an entry of the list is no Ingress/,
    );
  }
  api.instead = (_, response) => {
    response.end('{"metadata":{},"items":null}');
    return true;
  };
  expect(await namesIn(kubernetesSource(api))).toEqual([]);
});

const eventOf = (type: string, version: string) => ({
  type,
  object: {
    ...ingress("shop", ["shop.test"]),
    metadata: { name: "shop", namespace: "shop", resourceVersion: version },
  },
});

/** A source that was read, and its watch. */
async function watched(api: ApiServer) {
  const source = kubernetesSource(api);
  const counts = { changes: 0 };
  const watch = source.watch(() => counts.changes++);
  expect(api.requests).toEqual([]);
  await read(source);
  return { source, counts, watch };
}

test("behavior 28.48: changes after the version of the list lead to a read, and bookmarks do not", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  const { counts, watch } = await watched(api);
  await eventually(() => api.watches("ingresses").length === 1 && api.watches("httproutes").length === 1);
  expect(api.watches("ingresses")).toEqual(["1000"]);
  expect(api.requests).toContain(
    "GET /apis/networking.k8s.io/v1/ingresses?watch=1&allowWatchBookmarks=true&resourceVersion=1000&timeoutSeconds=300",
  );
  for (const [at, type] of ["ADDED", "MODIFIED", "DELETED"].entries()) {
    api.send(at === 1 ? "httproutes" : "ingresses", eventOf(type, `100${at + 1}`));
    await eventually(() => counts.changes === at + 1);
  }
  api.send("ingresses", eventOf("BOOKMARK", "2000"));
  api.send("ingresses", eventOf("MODIFIED", "2001"));
  await eventually(() => counts.changes === 4);
  // A server ends its watches now and then: the next one follows from the last version.
  api.endWatches();
  await eventually(() => api.watches("ingresses")[0] === "2001" && api.watches("httproutes")[0] === "1002");
  expect(counts.changes).toBe(4);
  watch.stop();
  await eventually(() => api.watches("ingresses").length === 0 && api.watches("httproutes").length === 0);
});

test("behavior 28.48: a bookmark moves the version from which the next watch follows", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  const { counts, watch } = await watched(api);
  await eventually(() => api.watches("ingresses").length === 1);
  api.send("ingresses", eventOf("BOOKMARK", "5000"));
  await eventually(() => {
    api.endWatches();
    return api.watches("ingresses")[0] === "5000";
  });
  expect(counts.changes).toBe(0);
  watch.stop();
});

test("behavior 28.48: an event ERROR, such as 410, leads to a read, from which the next watch follows", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  const { source, counts, watch } = await watched(api);
  await eventually(() => api.watches("ingresses").length === 1);
  api.send("ingresses", {
    type: "ERROR",
    object: statusOf(410, "too old resource version: 1000 (1500)", "Expired"),
  });
  await eventually(() => counts.changes === 1 && api.watches("ingresses").length === 0);
  const lists = api.requests.length;
  await read(source);
  await eventually(() => api.watches("ingresses").length === 1);
  expect(api.requests.length).toBe(lists + 3);
  watch.stop();
});

test("behavior 28.48: a watch that is answered with 410 leads to a read", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.instead = ({ url }, response) => {
    if (!url?.includes("watch=1") || !url.includes("/ingresses")) return false;
    response.writeHead(410).end(JSON.stringify(statusOf(410, "too old resource version", "Expired")));
    return true;
  };
  const { source, counts, watch } = await watched(api);
  await eventually(() => counts.changes === 1);
  api.instead = undefined;
  await read(source);
  await eventually(() => api.watches("ingresses").length === 1);
  watch.stop();
});

test("behavior 28.48: a watch that the service account may not do is a fault in words, and the hosts are read", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.objects.ingresses = [ingress("shop", ["shop.test"])];
  api.refused.add("watch ingresses");
  const { source, watch } = await watched(api);
  await eventually(async () => (await read(source)).faults.length > 0);
  expect(await read(source)).toMatchObject({
    found: [{ name: "shop.test" }],
    faults: [
      {
        message:
          "the service account may not watch ingresses.networking.k8s.io (403): its role needs the verb watch on this resource; " +
          "until then, changes are found every 30 s",
      },
    ],
  });
  api.refused.clear();
  await eventually(async () => (await read(source)).faults.length === 0);
  watch.stop();
});

test("behavior 28.48: a cluster without HTTPRoutes is not asked for their changes", async () => {
  using directory = tempDir();
  await using api = await startApiServer(directory.path);
  api.objects.httproutes = undefined;
  const { watch } = await watched(api);
  await eventually(() => api.watches("ingresses").length === 1);
  expect(api.requests.filter((one) => one.includes("httproutes"))).toHaveLength(1);
  watch.stop();
});
