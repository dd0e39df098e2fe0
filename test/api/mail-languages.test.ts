import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Language } from "../../src/domain/pages/reader-locale.ts";
import { eventually } from "../support/eventually.ts";
import { joinedPerson, OWN_PAGE, type SignedInPerson } from "../support/people/person.ts";
import { TestServer } from "../support/product/server.ts";
import { MailServer } from "../support/servers/mail-server.ts";

let mails: MailServer;
let server: TestServer;

beforeAll(async () => {
  mails = await MailServer.start({ startTls: false });
  const { smtp } = mails.settings({ host: "localhost" });
  if (!smtp) throw new Error("the mail server has no settings");
  server = await TestServer.start({ baseUrl: "https://up.example.com", smtp });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
});

/** The language of the next mail to an address, as its HTML says it. */
async function languageOfNext(to: string, ask: () => Promise<unknown>): Promise<string | undefined> {
  const sent = () => mails.received.filter((mail) => mail.to.includes(to));
  const before = sent().length;
  await ask();
  await eventually(() => sent().length > before);
  const source = sent().at(-1)?.source.replaceAll("=\r\n", "") ?? "";
  return /<html lang=3D"([\w-]+)"/.exec(source)?.[1];
}

const speak = (language: Language) => server.client.patch("/api/v1/organization", { language });

test("behavior 27.26: an invitation is in the language of the organization, also if it is sent again", async () => {
  const owner = server.client;
  const email = "invited@example.com";
  let id = "";
  const invite = async () => {
    id = (await owner.post("/api/v1/people", { email, role: "viewer" })).body.data.id;
  };
  expect(await languageOfNext(email, invite)).toBe("en");
  await speak("pt-BR");
  expect(await languageOfNext(email, () => owner.post(`/api/v1/people/${id}/invite`))).toBe("pt-BR");
});

test("behavior 27.27: a link for a new password is in the language of the person, else of the request, else of the organization", async () => {
  const email = "forgetful@example.com";
  await speak("ja");
  let person: SignedInPerson | undefined;
  const join = async () => {
    person = await joinedPerson(server.client, { email, role: "viewer" });
  };
  expect(await languageOfNext(email, join)).toBe("ja");
  const forget = (headers: Record<string, string>) =>
    languageOfNext(email, () =>
      server.client
        .as(undefined)
        .send("POST", "/api/v1/session/link", { email }, { ...OWN_PAGE, ...headers }),
    );
  expect(await forget({ "accept-language": "tlh,*;q=0.5" })).toBe("ja");
  expect(await forget({ "accept-language": "tlh,he;q=0.9,de;q=0.8" })).toBe("he");
  await person?.send("PATCH", "/api/v1/me", { language: "fi" });
  expect(await forget({ "accept-language": "de" })).toBe("fi");
});
