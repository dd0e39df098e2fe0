import { createSocket } from "node:dgram";
import { type Answer, decode, encode } from "dns-packet";
import type { Switch } from "./target.ts";

const NXDOMAIN = 3;

/** A DNS server over UDP. A name has the address of the server while it is up; other names do not exist. */
export async function startDns(address: string, onQuery: (name: string) => void) {
  const names = new Set<string>();
  const udp = createSocket("udp4");
  udp.on("error", () => {});
  udp.on("message", (packet, from) => {
    const { id, questions = [] } = decode(packet);
    const [question] = questions;
    if (!question) return;
    const { name, type } = question;
    onQuery(name.replace(/\.test$/, ""));
    const exists = name === "" || name === "." || names.has(name);
    const answers: Answer[] =
      type === "A" && exists && name.endsWith(".test") ? [{ type, name, data: address }] : [];
    const message = { type: "response", id, flags: exists ? 0 : NXDOMAIN, questions, answers } as const;
    udp.send(encode(message), from.port, from.address);
  });
  await new Promise<void>((done) => udp.bind(0, address, done));
  return {
    port: udp.address().port,
    /** Switches `NAME.test`, which exists at first. */
    name(name: string): Switch {
      names.add(`${name}.test`);
      return {
        port: 0,
        up: () => void names.add(`${name}.test`),
        down: () => void names.delete(`${name}.test`),
      };
    },
  };
}
