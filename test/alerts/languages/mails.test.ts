import { expect, test } from "bun:test";
import { sendInviteMail, sendPasswordMail, sendTestMail } from "../../../src/alerts/account-mails.ts";
import { textsOf } from "../../../src/alerts/languages/load.ts";
import { createLocalization } from "../../../src/alerts/languages/localization.ts";
import { mailOf } from "../../../src/alerts/mail.ts";
import { describeEvent } from "../../../src/alerts/message.ts";
import { LANGUAGES, type Language } from "../../../src/domain/pages/reader-locale.ts";
import { AT, down } from "../../support/alerts/transitions.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const to = "ana@example.com";
const invite = {
  ...({ to, organization: "Acme", inviter: "Ben", role: "admin" } as const),
  ...{ inviteUrl: "https://up.example.com/invite/t", expiresAt: AT },
};

test.each([...LANGUAGES])(
  "behavior 27.47: mails to people are in the language %s",
  async (language: Language) => {
    await using server = await MailServer.start();
    const settings = server.settings();
    await sendInviteMail({ ...invite, language }, settings, AT);
    await sendPasswordMail({ to, url: invite.inviteUrl, language }, settings, AT);
    await sendTestMail({ to, language }, settings, AT);
    expect(server.received).toHaveLength(3);
    const { mail } = textsOf(language);
    const sources = server.received.map(({ source }) => decoded(source));
    const actions = [mail.invite.action, mail.password.action, mail.test.action];
    for (const [at, source] of sources.entries()) {
      expect(source).toContain(`<html lang="${language}"${/^(ar|he)$/.test(language) ? ' dir="rtl"' : ""}>`);
      expect(source).toContain(Bun.escapeHTML(actions[at] ?? ""));
    }
    expect(sources[0]).toContain("Acme");
  },
);

/** All of a mail as text: its parts are in base64 or quoted-printable. */
function decoded(source: string): string {
  return source
    .split(/^--.*\r\n/m)
    .map((part) => {
      const [headers = "", ...body] = part.split("\r\n\r\n");
      const text = body.join("\r\n\r\n");
      if (/base64/i.test(headers)) return Buffer.from(text, "base64").toString();
      const bytes = text
        .replaceAll(/=\r\n/g, "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, "latin1").toString();
    })
    .join("\n");
}

test("behavior 27.44: an e-mail from right to left has its bar and its labels on the right, and addresses on lines of their own", () => {
  const local = createLocalization("ar", textsOf("en"));
  const outage = { ...describeEvent(down, "https://up.example.com", { local }) };
  const { html, text } = mailOf({ ...outage, acknowledgeLink: "https://up.example.com/a/1" });
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain("border-right:6px");
  expect(html).not.toContain("border-left");
  expect(text).toContain(
    "\nOpen the outage:\nhttps://up.example.com/outages/a1\nAcknowledge:\nhttps://up.example.com/a/1\n",
  );
});
