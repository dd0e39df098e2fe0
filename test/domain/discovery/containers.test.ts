import { expect, test } from "bun:test";
import { portsOfBindings, readContainers, withoutPorts } from "../../../src/domain/discovery/containers.ts";
import { recordedContainers } from "../../support/servers/docker-engine.ts";

const ID = "02a6da22e3a60dfd93bbe9d3292749a76e311c41c8152c30cfbee3aba0bf61d6";

function container(name: string, labels: Record<string, string> | null, other: object = {}) {
  return { Id: ID.replace(/^02/, "ff"), Names: [`/${name}`], State: "running", Labels: labels, ...other };
}

function read(containers: unknown, { host = "127.0.0.1", own = "my-machine" } = {}) {
  return readContainers(containers, { host, own });
}

const published = (privatePort: number, publicPort: number, other = {}) => ({
  ...{ IP: "0.0.0.0", PrivatePort: privatePort, PublicPort: publicPort, Type: "tcp" },
  ...other,
});

for (const version of ["docker-1.41", "docker-1.51"] as const)
  test(`behavior 28.36, 28.38: the containers of an engine with the API ${version}`, async () => {
    const { found, faults } = read(await recordedContainers(version));
    expect(faults).toEqual([]);
    const byName = new Map(found.map((one) => [one.name, one]));
    expect([...byName.keys()].toSorted()).toEqual(["crashed", "db", "excluded", "lost", "renamed", "web-1"]);
    expect(byName.get("web-1")?.entries).toEqual([
      {
        ref: "docker/web",
        entry: { type: "HTTP", config: { url: "http://127.0.0.1:18080/", interval: 30 } },
      },
    ]);
    expect(byName.get("db")?.entries).toEqual([
      { ref: "docker/db", entry: { type: "TCP", config: { host: "127.0.0.1", port: 15432, interval: 60 } } },
    ]);
    expect(byName.get("crashed")).toMatchObject({ isRunning: false, entries: [{ ref: "docker/crashed" }] });
    expect(byName.get("renamed")).toMatchObject({ isRunning: false, entries: [], draft: null });
    expect(byName.get("excluded")).toMatchObject({ isExcluded: true, entries: [] });
    expect(byName.get("lost")).toMatchObject({ isExcluded: false, isRunning: true, entries: [] });
  });

test("behavior 28.36, 28.38: the containers of Podman", async () => {
  const { found, faults } = read(await recordedContainers("podman-4.3"));
  expect(faults).toEqual([]);
  expect(
    found.flatMap(({ entries }) => entries).toSorted((one, other) => (one.ref < other.ref ? -1 : 1)),
  ).toEqual([
    { ref: "docker/made", entry: { type: "TCP", config: { host: "127.0.0.1", port: 28081, interval: 30 } } },
    { ref: "docker/web", entry: { type: "HTTP", config: { url: "http://127.0.0.1:28080/" } } },
  ]);
});

test("behavior 28.30: a label is stillup.NAME.FIELD, and the name ends at the first dot", () => {
  const { found, faults } = read([
    container("shop", {
      "stillup.web.url": "https://shop.test/",
      "stillup.web.expect.status": "200",
      "stillup.db_2-a.port": "5432",
      "com.example.stillup": "no",
      stillupx: "no",
    }),
  ]);
  expect(faults).toEqual([]);
  expect(found[0]?.entries).toEqual([
    {
      ref: "docker/web",
      entry: { type: "HTTP", config: { url: "https://shop.test/", expect: { status: [200] } } },
    },
    { ref: "docker/db_2-a", entry: { type: "TCP", config: { host: "127.0.0.1", port: 5432 } } },
  ]);
});

test("behavior 28.30: a label with another name or without a field is a fault, and the other labels count", () => {
  const labels = {
    "stillup.Web.url": "x",
    "stillup.web": "x",
    "stillup.": "x",
    [`stillup.${"a".repeat(101)}.url`]: "x",
  };
  const { found, faults } = read([container("shop", { ...labels, "stillup.ok.url": "https://shop.test/" })]);
  expect(found[0]?.entries.map(({ ref }) => ref)).toEqual(["docker/ok"]);
  expect(faults).toHaveLength(4);
  expect(faults[0]).toEqual({
    entry: "shop",
    message:
      "the label stillup.Web.url must be stillup.NAME.FIELD, with a NAME of 1 to 100 characters of a-z, 0-9, _ and -",
  });
});

test("behavior 28.33, 28.34: without a target in its labels, a container is checked at its first published port", () => {
  const ports = [published(8443, 30_003), published(80, 30_002), { PrivatePort: 22, Type: "tcp" }];
  const udp = published(53, 30_001, { Type: "udp" });
  const entryAt = (Ports: unknown, host?: string) =>
    read([container("web", { "stillup.web.tags": "shop" }, { Ports })], { ...(host && { host }) });
  for (const order of [[udp, ...ports], [...ports, udp].toReversed()])
    expect(entryAt(order).found[0]?.entries[0]?.entry).toEqual({
      ...{ type: "TCP", tags: ["shop"] },
      config: { host: "127.0.0.1", port: 30_002 },
    });
  expect(entryAt(ports, "docker.test").found[0]?.entries[0]?.entry).toMatchObject({
    config: { host: "docker.test", port: 30_002 },
  });
  expect(entryAt([]).faults).toEqual([
    {
      entry: "docker/web",
      message:
        "in the labels of web: needs a url, a hostname, or a host and a port: nothing else says where it is reached",
    },
  ]);
});

test("behavior 28.35: equal entries of one name are one monitor, and unequal ones are a fault of it", () => {
  const labels = { "stillup.web.url": "https://shop.test/", "stillup.web.tags": "a" };
  const equal = read([container("web-1", labels), container("web-2", labels)]);
  expect(equal.faults).toEqual([]);
  expect(equal.found.map(({ entries }) => entries.map(({ ref }) => ref))).toEqual([
    ["docker/web"],
    ["docker/web"],
  ]);
  const other = {
    ...labels,
    "stillup.web.interval": "30",
    "stillup.web.tags": "b",
    "stillup.other.url": "https://a.test/",
  };
  const unequal = read([container("web-1", labels), container("web-2", other), container("web-3", labels)]);
  expect(unequal.faults).toEqual([
    {
      entry: "docker/web",
      message:
        "is described by web-1 and by web-2 with different values of tags, config.interval: all must be equal",
    },
  ]);
  expect(unequal.found.map(({ entries }) => entries.map(({ ref }) => ref))).toEqual([
    [],
    ["docker/other"],
    [],
  ]);
});

test("behavior 28.35: a name with a fault in one container has no entry of another", () => {
  const { found, faults } = read([
    container("web-1", {
      "stillup.web.url": "https://shop.test/",
      "stillup.web.config.url": "https://shop.test/",
    }),
    container("web-2", { "stillup.web.url": "https://shop.test/" }),
  ]);
  expect(faults).toEqual([
    {
      entry: "docker/web",
      message: "in the labels of web-1: config.url is given twice: another field has its place",
    },
  ]);
  expect(found.flatMap(({ entries }) => entries)).toEqual([]);
});

test("behavior 28.36: what is being deleted is gone, and a container without a state runs", () => {
  const labels = { "stillup.web.url": "https://shop.test/" };
  const states = ["created", "running", "paused", "restarting", "exited", "removing", "dead", undefined];
  const { found } = read(states.map((State) => container(State ?? "old", labels, { State })));
  expect(found.map(({ name, isRunning }) => `${name} ${isRunning}`)).toEqual([
    ...["created false", "running true", "paused true", "restarting true", "exited false", "old true"],
  ]);
});

test("behavior 28.37: stillup.enable=false excludes a container, and another word than true is a fault", () => {
  const labels = { "stillup.web.url": "https://shop.test/" };
  const { found, faults } = read([
    container("off", { ...labels, "stillup.enable": "false" }),
    container("on", { ...labels, "stillup.enable": "true" }),
    container("odd", { ...labels, "stillup.enable": "no" }),
  ]);
  expect(found.map(({ isExcluded, entries }) => [isExcluded, entries.length])).toEqual([
    ...[
      [true, 0],
      [false, 1],
      [false, 1],
    ],
  ]);
  expect(faults).toEqual([{ entry: "odd", message: "stillup.enable must be true or false" }]);
});

test("behavior 28.37: the container of stillup itself is excluded", () => {
  const isExcluded = (own: string) =>
    read([container("stillup", {}, { Id: ID })], { own }).found[0]?.isExcluded;
  expect(isExcluded(ID.slice(0, 12))).toBe(true);
  expect(isExcluded("my-machine")).toBe(false);
  expect(isExcluded("0")).toBe(false);
  expect(isExcluded("")).toBe(false);
});

test("behavior 28.38: a container has its own name, and without one the begin of its ID", () => {
  const nameOf = (Names: unknown) => read([container("", {}, { Id: ID, Names })]).found[0]?.name;
  expect(nameOf(["/web"])).toBe("web");
  expect(nameOf(["/shop/db", "/db"])).toBe("db");
  expect(nameOf(null)).toBe("02a6da22e3a6");
});

test("behavior 28.60: a name with control characters or of any length is one short line", () => {
  const { found, faults } = read([
    container("web\u001b[31m\nred", { "stillup.enable": "maybe" }),
    container("n".repeat(100_000), { "stillup.enable": "maybe" }),
    { Id: "\n\u0007", Names: [] },
  ]);
  expect(found.map(({ name }) => name.slice(0, 20))).toEqual(["web [31m red", "n".repeat(20), ""]);
  expect(found[1]?.name.length).toBeLessThanOrEqual(200);
  expect(faults.map(({ entry }) => entry)).toEqual(found.slice(0, 2).map(({ name }) => name));
});

test("behavior 28.15, 28.32: a label with JSON of 100,000 levels makes no other entry wrong", () => {
  const deep = `{"url":"http://127.0.0.1/","headers":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
  const { found } = read([
    container("one", { "stillup.deep.config": deep, "stillup.web.url": "http://127.0.0.1/" }),
    container("other", { "stillup.deep.config": deep }),
  ]);
  expect(found.flatMap(({ entries }) => entries.map(({ ref }) => ref))).toEqual(["docker/web"]);
});

test("behavior 28.39: a container is reached at its published ports, and by its names in its networks", () => {
  const networks = {
    shop: {
      IPAddress: "172.18.0.2",
      GlobalIPv6Address: "",
      Aliases: ["shop-web"],
      DNSNames: ["Shop-Web", "02a6da22e3a6"],
    },
  };
  const { found } = read(
    [
      container(
        "web-1",
        { "com.docker.compose.service": "web" },
        {
          Ports: [
            published(80, 8080),
            published(443, 8443, { IP: "192.0.2.7" }),
            { PrivatePort: 22, Type: "tcp" },
          ],
          NetworkSettings: { Networks: networks },
        },
      ),
    ],
    { host: "docker.test" },
  );
  expect(found[0]?.addresses.toSorted()).toEqual(
    [
      ...["web-1", "web", "shop-web", "shop-web", "02a6da22e3a6", "172.18.0.2"],
      ...["docker.test:8080", "127.0.0.1:8080", "localhost:8080", "[::1]:8080"],
      ...["docker.test:8443", "192.0.2.7:8443"],
    ]
      .filter((one, at, all) => all.indexOf(one) === at)
      .toSorted(),
  );
});

test("behavior 28.41: the engine is asked for the ports of a container only if an entry needs a port that the list lacks", () => {
  const asked = (labels: Record<string, string>, other = {}) =>
    withoutPorts([container("web", labels, { Ports: [], ...other })]).length > 0;
  expect(asked({ "stillup.web.tags": "shop" })).toBe(true);
  expect(asked({ "stillup.web.type": "HTTP" })).toBe(true);
  expect(asked({ "stillup.a.url": "https://a.test/", "stillup.b.host": "b.test" })).toBe(true);
  expect(asked({ "stillup.web.tags": "shop" }, { Ports: [published(80, 8080)] })).toBe(false);
  expect(asked({ "stillup.web.tags": "shop", "stillup.enable": "false" })).toBe(false);
  for (const field of ["url", "steps", "hostname", "port"])
    expect(asked({ [`stillup.web.${field}`]: "1" })).toBe(false);
  expect(asked({ "stillup.web.protocol": "icmp" })).toBe(false);
  expect(asked({ "stillup.web.type": "SCHEDULED" })).toBe(false);
  expect(asked({})).toBe(false);
  const bindings = {
    "80/tcp": [
      { HostIp: "", HostPort: "8080" },
      { HostIp: "::1", HostPort: "" },
    ],
    "53/udp": [{ HostIp: "", HostPort: "53" }],
    "443/tcp": null,
    wrong: [{ HostPort: "1" }],
  };
  expect(portsOfBindings({ HostConfig: { PortBindings: bindings } })).toEqual([
    { PrivatePort: 80, PublicPort: 8080, Type: "tcp", IP: "" },
    { PrivatePort: 53, PublicPort: 53, Type: "udp", IP: "" },
  ]);
  for (const other of [null, [], {}, { HostConfig: { PortBindings: null } }])
    expect(portsOfBindings(other)).toEqual([]);
});

test("behavior 28.40: a draft checks the first published port, by the protocol that it is known for", () => {
  const draftOf = (...Ports: object[]) => read([container("web", {}, { Ports })]).found[0]?.draft;
  expect(draftOf(published(80, 8080))).toEqual({
    ...{ name: "web", type: "HTTP" },
    config: { url: "http://127.0.0.1:8080/", interval: 60 },
  });
  expect(draftOf(published(5432, 15_432))).toEqual({
    ...{ name: "web", type: "TCP" },
    config: { host: "127.0.0.1", port: 15_432, protocol: "postgres", interval: 60 },
  });
  expect(draftOf(published(9999, 9999))).toMatchObject({
    config: { host: "127.0.0.1", port: 9999, interval: 60 },
  });
  expect(draftOf({ PrivatePort: 9999, Type: "tcp" })).toMatchObject({ config: { host: "web", port: 9999 } });
  expect(draftOf()).toBeNull();
});

const WRONG: [string, unknown][] = [
  ["the answer is no list of containers", { message: "client version 1.12 is too old" }],
  ["the answer is no list of containers", null],
  ["container 1 of the answer has no ID", [null]],
  ["container 2 of the answer has no ID", [container("web", {}), { Names: ["/a"] }]],
  [
    "the labels of container 1 of the answer must be an object with texts",
    [container("web", { a: 1 } as never)],
  ],
  ["the labels of container 1 of the answer must be an object with texts", [container("web", [] as never)]],
  ["the ports of container 1 of the answer must be a list", [container("web", {}, { Ports: {} })]],
  [
    "a port of container 1 of the answer has no number",
    [container("web", {}, { Ports: [{ PrivatePort: "80" }] })],
  ],
  [
    "the state of container 1 of the answer must be a text",
    [container("web", {}, { State: { Running: true } })],
  ],
  [
    "there are 10001 containers: at most 10,000 can be read",
    Array.from({ length: 10_001 }, () => container("a", {})),
  ],
];

test("behavior 28.62: an answer with another form is a fault of the source, also if it is of one container", () => {
  for (const [message, answer] of WRONG) expect(() => read(answer)).toThrow(message);
});
