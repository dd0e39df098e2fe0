import { expect, test } from "bun:test";
import { discoverFaults } from "../../../src/domain/discovery/settings.ts";

const whole = {
  docker: { socket: "/var/run/docker.sock", host: "host.example" },
  kubernetes: {},
  files: "/etc/targets/*.yml",
  http: "https://user:secret@targets.example/sd?token=secret",
  grace: 0,
};

test("behavior 28.1: settings have four sources and a grace, each of which may be left out", () => {
  expect(discoverFaults(whole, "discover")).toEqual([]);
  for (const [name, value] of Object.entries(whole))
    expect(discoverFaults({ [name]: value }, "discover")).toEqual([]);
  expect(discoverFaults({ grace: 31_536_000 }, "discover")).toEqual([]);
});

test.each([
  [{ docker: {} }, "discover.docker.socket", "is required"],
  [
    { docker: { socket: "docker.sock" } },
    "discover.docker.socket",
    "must be a string: an absolute path, such as /var/run/docker.sock",
  ],
  [{ docker: { socket: "/s", port: 1 } }, "discover.docker.port", "is not a known field"],
  [
    { docker: { socket: "/s", host: "http://h" } },
    "discover.docker.host",
    "must be a host name or an IP address, without scheme, port or path",
  ],
  [{ kubernetes: { namespace: "a" } }, "discover.kubernetes.namespace", "is not a known field"],
  [{ files: "" }, "discover.files", "must be a string of 1 to 4096 characters"],
  [
    { http: "ftp://user:secret@h/" },
    "discover.http",
    "must be a string of at most 2048 characters: a full URL that begins with http:// or https://",
  ],
  [
    { http: "http://user:secret@h:99999/" },
    "discover.http",
    "must be a full URL, whose host and port are valid",
  ],
  [{ grace: -1 }, "discover.grace", "must be a whole number from 0 to 31536000, got -1"],
  [{ grace: 1.5 }, "discover.grace", "must be a whole number from 0 to 31536000, got 1.5"],
  [{ grace: 31_536_001 }, "discover.grace", "must be a whole number from 0 to 31536000, got 31536001"],
  [{ dokcer: {} }, "discover.dokcer", "is not a known field: did you mean docker?"],
  [[], "discover", "must be an object"],
])(
  "behavior 28.1: a fault in settings names the field and what would be right: %j",
  (value, path, message) => {
    const faults = discoverFaults(value, "discover");
    expect(faults).toEqual([{ path, message }]);
  },
);
