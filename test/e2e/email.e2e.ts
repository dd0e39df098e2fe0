import { expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { Binary } from "../support/product/binary.ts";
import { MailServer, PASSWORD, USER } from "../support/servers/mail-server.ts";

test("the binary sends e-mail over STARTTLS with a certificate of the user's own authority", async () => {
  await using binary = new Binary();
  await using mail = await MailServer.start();
  const { smtp, ca = "" } = mail.settings({ host: "localhost" });
  const authority = join(binary.folder, "authority.pem");
  await Bun.write(authority, ca);
  const server = await binary.serve(
    ["--smtp-from", "stillup@example.com", "--base-url", "https://up.example.com"],
    {
      STILLUP_SMTP_URL: smtp?.url.href ?? "",
      NODE_EXTRA_CA_CERTS: authority,
    },
  );
  const client = await server.client();
  const channel = { name: "ops", type: "EMAIL", config: { to: "ops@example.com" } };
  const { id } = (await client.post("/api/v1/alerts", channel)).body.data;
  const job = { name: "Backup", type: "SCHEDULED", config: {}, alertChannelIds: [id] };
  const monitor = (await client.post("/api/v1/monitors", job)).body.data;
  await fetch(`${monitor.checkinUrl.replace("https://up.example.com", server.url)}?status=fail`);

  const received = await eventually(() => mail.received[0]);
  expect(received).toMatchObject({ to: ["ops@example.com"], user: USER, secure: true });
  expect(received.source).toContain("Subject: Backup has failed");
  expect(received.source).toContain(`https://up.example.com/monitors/${monitor.id}`);
  expect(await server.end("SIGTERM")).toBe(0);
  const log = await server.log;
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), "ops@example.com"])
    expect(log).not.toContain(secret);
}, 300_000);
