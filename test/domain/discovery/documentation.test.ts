import { expect, test } from "bun:test";
import { parse } from "yaml";
import { parseDocument } from "../../../src/domain/configuration/parse-document.ts";
import { readContainers } from "../../../src/domain/discovery/containers.ts";
import { parseRoute, readRoutes } from "../../../src/domain/discovery/routes.ts";
import { readPage } from "../../support/documentation/page.ts";

const { blocks } = await readPage("docs/discovery.md");
const [settings, compose, ingress] = blocks
  .filter(({ mark }) => mark === "tested by test/domain/discovery/documentation.test.ts")
  .map(({ text }) => parse(text));

test("the settings of docs/discovery.md are valid, and name every source", () => {
  expect(parseDocument(settings, "serverFile").faults).toEqual([]);
  expect(Object.keys(settings.discover)).toEqual(["docker", "kubernetes", "files", "http", "grace"]);
});

test("the labels of docs/discovery.md are one monitor, and one container that is left out", () => {
  const containers = Object.entries<{ labels: object; ports?: string[] }>(compose.services).map(
    ([name, { labels, ports = [] }]) => ({
      ...{ Id: name.padEnd(64, "0"), Names: [`/${name}`], State: "running" },
      Labels: Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, String(value)])),
      Ports: ports.map((port) => {
        const [publicPort, privatePort] = port.split(":").map(Number);
        return { IP: "0.0.0.0", PrivatePort: privatePort, PublicPort: publicPort, Type: "tcp" };
      }),
    }),
  );
  const { found, faults } = readContainers(containers, { host: "127.0.0.1", own: "" });
  expect(faults).toEqual([]);
  expect(found.map(({ isExcluded }) => isExcluded)).toEqual([false, true]);
  expect(found.flatMap(({ entries }) => entries)).toEqual([
    {
      ref: "docker/shop",
      entry: {
        ...{ type: "HTTP", tags: ["shop", "prod"] },
        config: { url: "http://127.0.0.1:8080/healthz", expect: { status: [200] } },
      },
    },
  ]);
});

test("the Ingress of docs/discovery.md is one monitor, checked by https", () => {
  const { found, faults } = readRoutes([
    parseRoute("Ingress", { ...ingress, metadata: { ...ingress.metadata, namespace: "shop" } }),
  ]);
  expect(faults).toEqual([]);
  expect(found.flatMap(({ entries }) => entries)).toEqual([
    {
      ref: "kubernetes/shop.example.com",
      entry: {
        ...{ type: "HTTP", tags: ["shop", "prod"] },
        config: { url: "https://shop.example.com/", interval: 30, expect: { status: [200] } },
      },
    },
  ]);
});
