import { createSocket } from "node:dgram";
import { type Answer, decode, encode } from "dns-packet";

const NXDOMAIN = 3;

/** A DNS server over UDP. A name has the address of the server while it is up; other names do not exist. */
export async function startDns(address: string) {
  const names = new Set<string>();
  let drops = false;
  const udp = createSocket("udp4");
  udp.on("error", () => {});
  udp.on("message", (packet, from) => {
    if (drops) return;
    const { id, questions = [] } = decode(packet);
    const [question] = questions;
    if (!question) return;
    const { name, type } = question;
    const exists = name === "" || name === "." || names.has(name);
    const answers: Answer[] =
      exists && type === "A" && name.includes(".test") ? [{ type, name, data: address }] : [];
    const message = { type: "response", id, flags: exists ? 0 : NXDOMAIN, questions, answers } as const;
    udp.send(encode(message), from.port, from.address);
  });
  await new Promise<void>((done) => udp.bind(0, address, done));
  return {
    port: udp.address().port,
    /** @param isSilent whether it ignores every query from now on */
    drop(isSilent: boolean) {
      drops = isSilent;
    },
    /** Switches `NAME.test`, which does not exist at first. */
    name: (name: string) => ({
      up: () => void names.add(`${name}.test`),
      down: () => void names.delete(`${name}.test`),
    }),
  };
}
