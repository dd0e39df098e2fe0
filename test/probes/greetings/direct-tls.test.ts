import { beforeAll, describe, expect, test } from "bun:test";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority, type ServerCertificate } from "../../support/servers/certificates.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

let own: ServerCertificate;
beforeAll(async () => {
  const authority = await createAuthority();
  own = await authority.issue([{ type: "dns", value: "mail.test" }]);
});

interface More {
  verifyTls?: boolean;
  servername?: string;
}

describe("behavior 20.20, 20.24: TLS from the start", () => {
  const direct = (port: number, protocol: "smtp" | "postgres", more: More = { verifyTls: false }) =>
    observation("TCP", { host: "127.0.0.1", port, protocol, tls: "direct", ...more });

  test("comes before the greeting", async () => {
    using server = await startServer((socket) => socket.write("220 ready\r\n"), { tls: own });
    expect(await direct(server.port, "smtp")).toMatchObject({
      outcome: "reached",
      certificate: { authorized: false, names: ["mail.test"], protocol: "TLSv1.3" },
    });
    using refusing = await startServer((socket) => socket.write("554 no\r\n"), { tls: own });
    expect(await direct(refusing.port, "smtp")).toMatchObject({
      reason: "unexpected",
      detail: { code: 554 },
    });
  });

  test("is required", async () => {
    using server = await startServer((socket) => socket.write("220 ready\r\n"));
    expect(await direct(server.port, "smtp")).toMatchObject({ outcome: "failed", reason: "tls_failed" });
  });

  test("asks for the name of the config", async () => {
    const asked: string[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      asked.push(name);
      done(null);
    };
    using server = await startServer((socket) => socket.write("220 ready\r\n"), {
      tls: { ...own, SNICallback },
    });
    await direct(server.port, "smtp", { servername: "mail.test", verifyTls: false });
    expect(asked).toEqual(["mail.test"]);
  });

  test("of PostgreSQL 17 names the protocol, and a proxy is asked within TLS", async () => {
    using server = await startServer((socket) => void socket.on("data", () => socket.end("E")), {
      tls: { ...own, ALPNProtocols: ["postgresql"] },
    });
    expect(await direct(server.port, "postgres")).toMatchObject({ outcome: "reached" });
    using proxy = await startServer((socket) => void socket.on("data", () => socket.write("N")), {
      tls: own,
    });
    expect(await direct(proxy.port, "postgres")).toMatchObject({ outcome: "reached" });
  });
});
