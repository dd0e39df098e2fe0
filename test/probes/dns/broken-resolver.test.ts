import { describe, expect, test } from "bun:test";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { createDnsClient } from "../../../src/probes/dns/dns-client.ts";
import { type Reply, startDnsServer } from "../../support/servers/dns-server.ts";

const NAME = "asked.test";

const ask = async (...servers: Parameters<typeof createDnsClient>[0] & object) => {
  let hasAnswered = false;
  const client = createDnsClient(servers, new OpenSockets(), {
    onFirstAnswer: () => {
      hasAnswered = true;
    },
  });
  const said = await client.ask({ name: NAME, type: "A" }, 1000).then(({ failure }) => failure, String);
  return { said, hasAnswered };
};

/** Fails for one name, and answers about the root. */
const failing = (reply: Reply, root: Reply) => startDnsServer({ [NAME]: reply, ".": root });

describe.each<Reply>([{ code: "SERVFAIL" }, { code: "REFUSED" }, { code: "NOTIMP" }, "garbage"])(
  "behavior 4.5: a DNS server that answers %j",
  (reply) => {
    test("to everything is an own fault, and has never answered", async () => {
      using dns = await failing(reply, reply);
      const { said, hasAnswered } = await ask(dns);
      expect(said).toContain(`none of the DNS servers works: 127.0.0.1 port ${dns.port}`);
      expect(hasAnswered).toBe(false);
    });

    test("for one name has a broken name", async () => {
      using dns = await failing(reply, []);
      const { said, hasAnswered } = await ask(dns);
      expect(said).toBeOneOf(["servfail", "refused", "error", "malformed"]);
      expect(hasAnswered).toBe(true);
    });
  },
);

test("behavior 4.5: a DNS server that refuses the root, because it knows only its own zones, has a broken name", async () => {
  using dns = await failing({ code: "SERVFAIL" }, { code: "REFUSED" });
  expect(await ask(dns)).toMatchObject({ said: "servfail" });
});

test("behavior 4.5: a DNS server that waits for the server of the name, and answers SERVFAIL about the root, is an own fault", async () => {
  using dns = await failing("silence", { code: "SERVFAIL" });
  expect((await ask(dns)).said).toContain("none of the DNS servers can be reached");
});

test("behavior 4.5: a broken DNS server is an own fault beside a dead one, but not beside one that works", async () => {
  using broken = await failing({ code: "SERVFAIL" }, { code: "SERVFAIL" });
  using dead = await failing("silence", "silence");
  using good = await failing({ code: "SERVFAIL" }, []);
  expect((await ask(broken, dead)).said).toContain("none of the DNS servers works");
  expect(await ask(broken, good)).toMatchObject({ said: "servfail" });
});
