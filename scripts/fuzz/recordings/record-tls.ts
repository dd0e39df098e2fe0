import { createServer as createProxy, connect as open, type Socket } from "node:net";
import { connect, createServer, type DetailedPeerCertificate } from "node:tls";
import { $ } from "bun";
import { freePort } from "../../../test/support/free-port.ts";
import { createAuthority } from "../../../test/support/servers/certificates.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { Program } from "./programs.ts";
import type { TlsRecording } from "./recording.ts";

type Version = "TLSv1.2" | "TLSv1.3";

const SUBJECT = [
  "-subj",
  "/CN=cut.test",
  "-addext",
  "subjectAltName=DNS:cut.test,DNS:*.cut.test,IP:127.0.0.1,URI:https://cut.test/",
];

/** Arguments of `openssl req` for each kind of key and signature. */
const KINDS: Record<string, string[]> = {
  "openssl, RSA": ["-newkey", "rsa:2048", "-sha256"],
  "openssl, RSA of 1,024 bits with SHA-1": ["-newkey", "rsa:1024", "-sha1"],
  "openssl, RSA-PSS": ["-newkey", "rsa:2048", "-sigopt", "rsa_padding_mode:pss", "-sha256"],
  "openssl, P-256": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-sha256"],
  "openssl, P-384": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-sha384"],
  "openssl, Ed25519": ["-newkey", "ed25519"],
};

/** The first flights of TLS servers, to a client that is gone. */
export async function recordFlights(): Promise<TlsRecording[]> {
  const flights: TlsRecording[] = [];
  for (const [from, start] of Object.entries(SERVERS)) {
    await using server = await start();
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const { flight } = await handshake(server.port, version);
      flights.push({ from: `${from}, ${version}`, bytes: flight });
    }
  }
  return flights;
}

export async function recordCertificates(): Promise<TlsRecording[]> {
  const certificates: TlsRecording[] = [];
  for (const [from, args] of Object.entries(KINDS)) {
    using folder = tempDir();
    await certificateFiles(folder.path, args);
    const der = await $`openssl x509 -in ${folder.path}/cert.pem -outform DER`.quiet();
    certificates.push({ from, bytes: der.stdout.toString("latin1") });
  }
  await using caddy = await startCaddy();
  const { certificate } = await handshake(caddy.port, "TLSv1.3");
  certificates.push({ from: "caddy, its own authority", bytes: certificate.toString("latin1") });
  return certificates;
}

interface Recorded extends AsyncDisposable {
  port: number;
}

const SERVERS: Record<string, () => Promise<Recorded>> = {
  "openssl s_server": () =>
    withFiles((port) => [
      "openssl",
      "s_server",
      "-accept",
      `127.0.0.1:${port}`,
      "-cert",
      "cert.pem",
      "-key",
      "key.pem",
      "-www",
    ]),
  nginx: () =>
    withFiles((_, folder) => ["nginx", "-p", folder, "-c", `${folder}/nginx.conf`, "-g", "daemon off;"]),
  caddy: startCaddy,
  python: () => withFiles(() => ["python3", "server.py"]),
  "bun node:tls": async () => {
    const authority = await createAuthority();
    const server = createServer(await authority.issue([{ type: "dns", value: "cut.test" }]));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    return { port, [Symbol.asyncDispose]: async () => void server.close() };
  },
};

function startCaddy(): Promise<Program> {
  return Program.start((port, folder) => ({
    command: ["caddy", "run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
    files: {
      Caddyfile: `{\n admin off\n skip_install_trust\n storage file_system ${folder}\n}\nhttps://cut.test:${port} {\n tls internal\n respond ok\n}`,
    },
  }));
}

async function withFiles(command: (port: number, folder: string) => string[]): Promise<Recorded> {
  const folder = tempDir();
  await certificateFiles(folder.path, KINDS["openssl, P-256"] ?? []);
  const [cert, key] = await Promise.all(
    ["cert", "key"].map((name) => Bun.file(`${folder.path}/${name}.pem`).text()),
  );
  folder[Symbol.dispose]();
  return Program.start((port, own) => ({
    command: command(port, own),
    files: filesOf(port, own, cert ?? "", key ?? ""),
  }));
}

function filesOf(port: number, folder: string, cert: string, key: string): Record<string, string> {
  return {
    "cert.pem": cert,
    "key.pem": key,
    "nginx.conf": `user root; pid nginx.pid; error_log stderr; events {} http { access_log off; client_body_temp_path a; proxy_temp_path b;
      fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e; server { listen 127.0.0.1:${port} ssl;
      ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; ssl_protocols TLSv1.2 TLSv1.3; } }`,
    "server.py": `import socket, ssl\ncontext = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\ncontext.load_cert_chain("cert.pem", "key.pem")\nserver = socket.create_server(("127.0.0.1", ${port}))\nwhile True:\n  client, _ = server.accept()\n  try:\n    context.wrap_socket(client, server_side=True).close()\n  except Exception:\n    client.close()\n`,
  };
}

async function certificateFiles(folder: string, args: string[]): Promise<void> {
  const files = ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`];
  await $`openssl req -x509 -nodes -days 3650 ${args} ${SUBJECT} ${files}`.quiet();
}

/** Records what a server sends before a client answers it. */
async function handshake(port: number, version: Version): Promise<{ flight: string; certificate: Buffer }> {
  let [flight, answers] = ["", 0];
  const proxy = createProxy((client: Socket) => {
    const server = open(port, "127.0.0.1");
    client.on("data", (bytes) => {
      answers++;
      server.write(bytes);
    });
    server.on("data", (bytes: Buffer) => {
      if (answers < 2) flight += bytes.toString("latin1");
      client.write(bytes);
    });
    for (const socket of [client, server]) socket.on("error", () => socket.destroy());
    server.on("close", () => client.destroy());
    client.on("close", () => server.destroy());
  });
  const own = await freePort();
  await new Promise<void>((done) => proxy.listen(own, "127.0.0.1", done));
  const options = {
    servername: "cut.test",
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
  };
  const socket = connect({ port: own, host: "127.0.0.1", ...options });
  const certificate = await new Promise<Buffer>((resolve, reject) => {
    socket.once("secureConnect", () =>
      resolve((socket.getPeerCertificate(true) as DetailedPeerCertificate).raw),
    );
    socket.once("error", reject);
  });
  socket.destroy();
  proxy.close();
  return { flight, certificate };
}
