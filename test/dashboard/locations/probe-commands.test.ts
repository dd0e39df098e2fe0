import { expect, test } from "bun:test";
import { probeCommand, probeUnit } from "../../../src/dashboard/web/locations/location-list.tsx";

const server = "https://status.example.com:8443";

test("behavior 13.65: the command connects to this server with a key in a file", () => {
  expect(probeCommand(server)).toBe(`stillup probe --server ${server} --key-file probe.key`);
});

test("behavior 13.65: the systemd unit runs the same command with few rights", () => {
  const lines = probeUnit(server).split("\n");
  const [command = ""] = lines.filter((line) => line.startsWith("ExecStart="));
  expect(command).toStartWith(`ExecStart=/usr/local/bin/stillup probe --server ${server} --key-file `);
  for (const line of [
    "DynamicUser=yes",
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "StateDirectory=stillup-probe",
  ])
    expect(lines).toContain(line);
});

test("behavior 13.65: the unit has the settings of the installer's unit, except the command, the key and the user", async () => {
  const installed = (await Bun.file("scripts/package/stillup-probe.service").text()).split("\n");
  const own = probeUnit(server)
    .split("\n")
    .filter((line) => !/^(Description|After|ExecStart|LoadCredential|DynamicUser)=/.test(line));
  expect(own.filter((line) => !installed.includes(line))).toEqual([]);
  expect(own.length).toBeGreaterThan(30);
});
