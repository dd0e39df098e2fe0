import { decode } from "dns-packet";
import type { RecordType } from "../../../src/domain/checks/observation.ts";
import { systemTransport } from "../../../src/probes/dns/dns-exchange.ts";
import { encodeQuestion, type Question } from "../../../src/probes/dns/dns-packet.ts";
import type { Truth } from "../dns/input.ts";
import { Program } from "./programs.ts";
import type { DnsRecording } from "./recording.ts";

const MANY = Array.from({ length: 60 }, (_, at) => `many A 127.0.1.${at}`).join("\n");

const ZONE = `$ORIGIN cut.test.
$TTL 300
@ SOA ns1 host\\.master 2026 3600 600 86400 60
@ NS ns1
@ NS ns2.other.example.
ns1 A 127.0.0.53
@ A 127.0.0.1
@ A 127.0.0.2
@ AAAA ::1
@ MX 10 mail
@ MX 20 mail.other.example.
@ TXT "v=spf1 -all" "caf\\195\\169"
@ CAA 0 issue "ca.test; account=1"
mail A 127.0.0.3
www CNAME @
a.www CNAME www
_sip._tcp SRV 1 2 5060 mail
1.0.0.127 PTR Mail.Cut.test.
*.wild A 127.0.0.4
${MANY}
`;

const QUESTIONS: Question[] = [
  ...(["A", "AAAA", "MX", "NS", "TXT", "CAA", "SOA", "PTR"] as const).map((type) => ({
    name: "cut.test",
    type,
  })),
  { name: "www.cut.test", type: "CNAME" },
  { name: "a.www.cut.test", type: "A" },
  { name: "_sip._tcp.cut.test", type: "SRV" },
  { name: "1.0.0.127.cut.test", type: "PTR" },
  { name: "x.wild.cut.test", type: "A" },
  { name: "none.cut.test", type: "A" },
  { name: "many.cut.test", type: "A" },
  { name: "other.example", type: "A" },
];

const SERVERS: Record<
  string,
  (port: number, folder: string) => { command: string[]; files: Record<string, string> }
> = {
  named: (port, folder) => ({
    command: ["named", "-f", "-c", `${folder}/named.conf`],
    files: {
      zone: ZONE,
      "named.conf": `options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no;
        pid-file "${folder}/pid"; session-keyfile "${folder}/key"; }; controls {}; zone "cut.test" { type master; file "${folder}/zone"; };`,
    },
  }),
  knotd: (port, folder) => ({
    command: ["knotd", "-c", `${folder}/knot.conf`],
    files: {
      "cut.test.zone": ZONE,
      "knot.conf": `server:\n  rundir: ${folder}\n  listen: 127.0.0.1@${port}\ndatabase:\n  storage: ${folder}\nzone:\n  - domain: cut.test\n    storage: ${folder}\n    file: cut.test.zone\n`,
    },
  }),
  nsd: (port, folder) => ({
    command: ["nsd", "-d", "-c", `${folder}/nsd.conf`],
    files: {
      zone: ZONE,
      "nsd.conf": `server:\n  ip-address: 127.0.0.1\n  port: ${port}\n  username: ""\n  chroot: ""\n  zonesdir: "${folder}"\n  pidfile: "${folder}/pid"\n  xfrdfile: "${folder}/xfrd"\n  zonelistfile: "${folder}/list"\n  database: ""\nremote-control:\n  control-enable: no\nzone:\n  name: cut.test\n  zonefile: zone\n`,
    },
  }),
};

export async function recordDns(): Promise<DnsRecording[]> {
  const recordings: DnsRecording[] = [];
  for (const [from, make] of Object.entries(SERVERS)) {
    await using server = await Program.start(make);
    for (const question of QUESTIONS) {
      for (const hasEdns of [true, false]) {
        const packet = await answerTo(server.port, question, hasEdns);
        if (!packet) continue;
        const message = { bytes: packet.toString("latin1"), truth: truthOf(packet, question) };
        const isNew = !recordings.some((one) => one.message.bytes === message.bytes);
        if (isNew) recordings.push({ from, question, hasEdns, message });
      }
    }
  }
  return recordings;
}

/** @returns undefined if the server is silent */
function answerTo(port: number, question: Question, hasEdns: boolean): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const received = { data: resolve, end: () => {}, fail: () => resolve(undefined) };
  const server = { address: "127.0.0.1", port };
  const socket = systemTransport.udp(server, encodeQuestion(0, { question, hasEdns }), received);
  const timer = setTimeout(resolve, 2000, undefined);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

const FAILURES: Record<string, Truth> = {
  NXDOMAIN: { failure: "nxdomain" },
  REFUSED: { failure: "refused" },
  SERVFAIL: { failure: "servfail" },
};

/** The meaning is read by the library dns-packet. */
function truthOf(packet: Buffer, { type }: Question): Truth {
  if (packet.readUInt16BE(2) & 0x0200) return "truncated";
  const { rcode = "", answers = [] } = decode(packet) as ReturnType<typeof decode> & { rcode?: string };
  if (rcode !== "NOERROR") return FAILURES[rcode] ?? { failure: "error" };
  const values = answers
    .filter((one) => one.type === type)
    .map((one) => textOf(type, "data" in one ? one.data : undefined));
  return values.length > 0 ? { values } : { failure: "no_data" };
}

// biome-ignore lint/suspicious/noExplicitAny: the data of each type has another form
function textOf(type: RecordType, data: any): string {
  switch (type) {
    case "A":
    case "AAAA":
      return data;
    case "MX":
      return `${data.preference} ${data.exchange}`.toLowerCase();
    case "SRV":
      return `${data.priority} ${data.weight} ${data.port} ${data.target}`.toLowerCase();
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = data;
      // The library does not escape the dot in the mailbox.
      return `${mname} ${rname.replace("host.master", "host\\.master")} ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
    }
    case "TXT":
      return Buffer.concat(data).toString();
    case "CAA":
      return `${data.flags} ${data.tag} "${data.value}"`;
    default:
      return data.toLowerCase();
  }
}
