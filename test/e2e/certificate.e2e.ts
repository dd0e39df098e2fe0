import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { createAuthority, type ServerCertificate } from "../support/servers/certificates.ts";

const authority = await createAuthority();
const issue = () => authority.issue([{ type: "ip", value: "127.0.0.1" }]);
const serialOf = ({ cert }: ServerCertificate) => new X509Certificate(cert).serialNumber;

function open(url: string): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), ca: authority.cert }, () =>
    resolve(socket),
  );
  socket.on("error", reject);
  return promise;
}

async function served(url: string): Promise<string> {
  const socket = await open(url);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test("behavior 9.12: SIGHUP loads a new certificate, and interrupts neither requests nor streams", async () => {
  await using binary = new Binary();
  const [cert, key] = [join(binary.folder, "cert.pem"), join(binary.folder, "key.pem")];
  const install = (certificate: ServerCertificate) => {
    writeFileSync(cert, certificate.cert);
    writeFileSync(key, certificate.key);
  };
  const [first, second] = [await issue(), await issue()];
  install(first);
  const tls = ["--tls-cert", cert, "--tls-key", key];
  const server = await binary.serve(tls);
  expect(server.url).toStartWith("https://127.0.0.1:");
  expect(await served(server.url)).toBe(serialOf(first));
  const port = new URL(server.url).port;
  expect((await binary.run(["health", "--port", port, ...tls])).code).toBe(0);

  const ownerKey = (await Bun.file(join(binary.folder, "data", "initial-owner-key")).text()).trim();
  const stream = await open(server.url);
  let streamed = "";
  stream.on("data", (bytes) => {
    streamed += bytes;
  });
  stream.write(`GET /api/v1/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ownerKey}\r\n\r\n`);
  const pulses = () => streamed.split("event: pulse").length - 1;
  await eventually(() => pulses() > 0);

  install(second);
  process.kill(server.pid, "SIGHUP");
  // A connection that is being opened at that moment may fail and be opened again.
  await eventually(async () => (await served(server.url).catch(() => "")) === serialOf(second));
  const seen = pulses();
  await eventually(() => pulses() > seen);

  // A certificate with the wrong key, then a file that is not a certificate.
  writeFileSync(key, first.key);
  process.kill(server.pid, "SIGHUP");
  await eventually(() => server.hasLogged(`${key} must be the key of the first certificate in ${cert}`));
  expect(await served(server.url)).toBe(serialOf(second));
  writeFileSync(cert, "nonsense");
  process.kill(server.pid, "SIGHUP");
  await eventually(() => server.hasLogged(`${cert} must begin with a certificate in PEM`));
  expect(await served(server.url)).toBe(serialOf(second));
  stream.destroy();
  expect(await server.end("SIGTERM")).toBe(0);
}, 300_000);

test("behavior 9.19: an unusable certificate stops the start with code 2 and the name of the flag, and creates nothing", async () => {
  await using binary = new Binary();
  const [cert, key] = [join(binary.folder, "cert.pem"), join(binary.folder, "key.pem")];
  writeFileSync(cert, (await issue()).cert);
  writeFileSync(key, (await issue()).key);
  const start = () => binary.run(["serve", "--port", "0", "--tls-cert", cert, "--tls-key", key]);
  const refused = (message: string) => ({ code: 2, stdout: "", stderr: `stillup: ${message}\n` });
  expect(await start()).toEqual(
    refused(`--tls-key ${key} must be the key of the first certificate in ${cert}`),
  );
  writeFileSync(key, "nonsense");
  expect(await start()).toEqual(refused(`--tls-key ${key} must begin with a private key in PEM`));
  rmSync(cert);
  mkdirSync(cert);
  expect(await start()).toEqual(refused(`--tls-cert ${cert} can't be read: it is a directory`));
  expect(readdirSync(binary.folder).sort()).toEqual(["cert.pem", "key.pem", "stillup"]);
}, 300_000);

test("SIGHUP without TLS changes nothing", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const client = await server.client();
  process.kill(server.pid, "SIGHUP");
  expect((await client.get("/api/v1/status")).status).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await server.log).toContain("there is no certificate to read again");
}, 300_000);
