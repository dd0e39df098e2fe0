import { expect, test } from "bun:test";
import { isSecureUrl } from "../../../src/domain/network/local-request.ts";
import {
  parseRdapServers,
  readBuiltInServers,
  serverFor,
} from "../../../src/domain/registration/rdap-servers.ts";
import builtIn from "../../../src/runner/registrations/rdap-servers.txt" with { type: "text" };

const list = (services: unknown) => JSON.stringify({ publication: "2026-11-01T00:00:00Z", services });

test("behavior 20.75: the list in the binary has a date, and a server for each name", () => {
  const servers = readBuiltInServers(builtIn);
  expect(servers.publication).toMatch(/^2\d{3}-\d\d-\d\d$/);
  expect(servers.byName.size).toBeGreaterThan(1000);
  for (const [name, url] of servers.byName) {
    expect(name).toMatch(/^[a-z0-9-]+$/);
    expect([url, isSecureUrl(url) && url.endsWith("/") && !url.includes("*")]).toEqual([url, true]);
  }
  expect(serverFor(servers, "example.com")).toBe("https://rdap.verisign.com/com/v1/");
  expect(serverFor(servers, "example.co.uk")).toBe("https://rdap.nominet.uk/uk/");
  for (const taiwan of ["xn--kprw13d", "xn--kpry57d"])
    expect(serverFor(servers, `example.${taiwan}`)).toBe("https://ccrdap.twnic.tw/taiwan/");
  expect(serverFor(servers, "example.de")).toBeUndefined();
});

test("behavior 20.75: the longest name decides, and the first server that may be asked", () => {
  const servers = parseRdapServers(
    list([
      [["uk"], ["http://uk.example/", "https://uk.example"]],
      [["co.uk", "ORG.uk"], ["https://co.example/rdap/"]],
      [["test"], ["http://127.0.0.1:8080/"]],
      [["plain"], ["http://plain.example/"]],
      "nonsense",
      [7, [null]],
    ]),
  );
  if (!servers) throw new Error("the list was not read");
  expect(serverFor(servers, "a.uk")).toBe("https://uk.example/");
  expect(serverFor(servers, "a.co.uk")).toBe("https://co.example/rdap/");
  expect(serverFor(servers, "a.org.uk")).toBe("https://co.example/rdap/");
  expect(serverFor(servers, "a.test")).toBe("http://127.0.0.1:8080/");
  expect(serverFor(servers, "a.plain")).toBeUndefined();
});

test.each(["", "[]", "null", "{}", list([]), list([[["com"], ["http://rdap.example/"]]])])(
  "behavior 20.75: %j is not a list of servers",
  (text) => {
    expect(parseRdapServers(text)).toBeUndefined();
  },
);

test("behavior 20.74: requests go to HTTPS, and to HTTP only on this machine", () => {
  expect(
    ["https://rdap.example/", "http://127.0.0.1:1/", "http://localhost/", "http://[::1]/"].every(isSecureUrl),
  ).toBe(true);
  for (const url of [
    "http://rdap.example/",
    "http://10.0.0.1/",
    "ftp://127.0.0.1/",
    "https://a:b@rdap.example/",
    "file:///etc/passwd",
    "",
  ])
    expect([url, isSecureUrl(url)]).toEqual([url, false]);
});
