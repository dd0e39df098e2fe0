import { describe, expect, test } from "bun:test";
import { isLocalRequest } from "../../../src/domain/network/local-request.ts";

const local = {
  peer: "127.0.0.1",
  headers: new Headers(),
  host: "localhost:7070",
  page: "http://localhost:7070",
  baseUrl: undefined,
};

describe("behavior 16.338: a browser on the machine of the server", () => {
  test.each([
    ["over IPv4", {}],
    ["over IPv6", { peer: "::1", host: "[::1]:7070", page: "http://[::1]:7070" }],
    ["over IPv4 to a socket for both families", { peer: "::ffff:127.0.0.1", host: "127.0.0.2" }],
    ["of a server with a local base URL", { baseUrl: "http://127.0.0.1:7070" }],
  ])("asks %s", (_, changes) => {
    expect(isLocalRequest({ ...local, ...changes })).toBe(true);
  });

  test.each([
    ["another machine asks", { peer: "192.0.2.7" }],
    ["the socket is gone", { peer: "" }],
    ["a proxy says so", { headers: new Headers({ "x-forwarded-for": "127.0.0.1" }) }],
    ["a proxy says so in another header", { headers: new Headers({ forwarded: "for=127.0.0.1" }) }],
    ["a proxy passes the host", { host: "up.example.com", page: "https://up.example.com" }],
    ["a proxy replaces the host", { page: "https://up.example.com" }],
    ["a name only begins like a local one", { host: "localhost.example.com" }],
    ["there is no host", { host: null }],
    ["nothing says where the page is", { page: null }],
    ["the server is public", { baseUrl: "https://up.example.com" }],
  ])("does not ask if %s", (_, changes) => {
    expect(isLocalRequest({ ...local, ...changes })).toBe(false);
  });
});
