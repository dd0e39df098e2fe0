import { createAuthority, type ServerCertificate } from "../../../test/support/servers/certificates.ts";

/** The certificates of servers, by their defect. */
export interface Certificates {
  /** The authority that the monitors trust, in PEM. */
  authority: string;
  /** @param host the name of the server */
  issue(kind: Kind, host: string): Promise<ServerCertificate>;
}

export type Kind = keyof Awaited<ReturnType<typeof createKinds>>;

export async function createCertificates(): Promise<Certificates> {
  const { cert } = await root;
  const kinds = await createKinds();
  return { authority: cert, issue: (kind, host) => kinds[kind](host) };
}

const root = createAuthority([{ CN: ["Authority of the course"] }]);

/** Certificates of clients, by their defect, and the authority that servers trust for them. */
export const clients = await createClients();

async function createClients() {
  const unknown = await createAuthority([{ CN: ["Authority that no server knows"] }]);
  const trusted = await root;
  const named = [{ type: "dns" as const, value: "client.course.test" }];
  return {
    authority: trusted.cert,
    valid: await trusted.issue(named),
    expired: await trusted.issue(named, { left: -1, old: 90 }),
    unknown: await unknown.issue(named),
  };
}

async function createKinds() {
  const trusted = await root;
  const unknown = await createAuthority([{ CN: ["Authority that nobody knows"] }]);
  const intermediate = await trusted.authority();
  const expired = await trusted.authority({ left: -1, old: 90 });
  const named = (host: string) => [{ type: "dns" as const, value: host }];
  const withChain = ({ cert, key }: ServerCertificate, ...chain: string[]) => ({
    cert: [cert, ...chain].join("\n"),
    key,
  });
  return {
    valid: (host: string) => trusted.issue(named(host)),
    "expires in 3 days": (host: string) => trusted.issue(named(host), { left: 3 }),
    expired: (host: string) => trusted.issue(named(host), { left: -1, old: 90 }),
    "not yet valid": (host: string) => trusted.issue(named(host), { old: -1 }),
    "wrong name": () => trusted.issue(named("other.test")),
    "wildcard of the parent": (host: string) => trusted.issue(named(host.replace(/^[^.]+\.[^.]+/, "*"))),
    "name in capitals": (host: string) => trusted.issue(named(host.toUpperCase())),
    "name among 500": (host: string) =>
      trusted.issue([...Array(500).keys()].flatMap((at) => named(`www-${at}.${host}`)).concat(named(host))),
    "expires in an hour": (host: string) => trusted.issue(named(host), { left: 1 / 24 }),
    // Longer keys are generated on the thread of the stand-ins, which are then late.
    "RSA of 2048 bits": (host: string) => trusted.issue(named(host), { bits: 2048 }),
    wildcard: (host: string) => trusted.issue(named(host.replace(/^[^.]+/, "*"))),
    "self-signed": async (host: string) => {
      const self = await createAuthority([{ CN: [host] }]);
      return self.issue(named(host));
    },
    "unknown authority": (host: string) => unknown.issue(named(host)),
    "complete chain": async (host: string) =>
      withChain(await intermediate.issue(named(host)), intermediate.cert),
    "chain with more certificates": async (host: string) =>
      withChain(await intermediate.issue(named(host)), unknown.cert, intermediate.cert, trusted.cert),
    "incomplete chain": (host: string) => intermediate.issue(named(host)),
    "expired intermediate": async (host: string) => withChain(await expired.issue(named(host)), expired.cert),
    "signed with SHA-1": (host: string) => trusted.issue(named(host), { hash: "SHA-1" }),
    "RSA of 1024 bits": (host: string) => trusted.issue(named(host), { bits: 1024 }),
  };
}
