import type { Draw } from "../../simulator/truth/draw.ts";
import type { HandshakeInput } from "./input.ts";
import { drawLie } from "./lies.ts";

/** Names of certificates by the host that is checked, and whether they are right (RFC 9525, 6). */
export const HOSTS: readonly [Host, ...Host[]] = [
  { host: "cut.test", names: ["cut.test"], isRight: true },
  { host: "cut.test", names: ["other.test", "CUT.test"], isRight: true },
  { host: "cut.test.", names: ["cut.test"], isRight: true },
  { host: "a.cut.test", names: ["*.cut.test"], isRight: true },
  { host: "b\u00fccher.test", names: ["xn--bcher-kva.test"], isRight: true },
  { host: "127.0.0.1", names: ["127.0.0.1"], isRight: true },
  { host: "cut.test", names: ["other.test"], isRight: false },
  { host: "cut.test", names: ["*.cut.test"], isRight: false },
  { host: "a.b.cut.test", names: ["*.cut.test"], isRight: false },
  { host: "cut.test", names: ["*.test.cut", "*", "*.*"], isRight: false },
  { host: "cut.test", names: ["cut.test\0.other.test"], isRight: false },
  { host: "cut.test", names: ["cut.test, DNS:cut.test"], isRight: false },
  { host: "127.0.0.1", names: ["cut.test", "127.0.0.2"], isRight: false },
  { host: "127.0.0.1", names: ["*.0.0.1"], isRight: false },
];

interface Host {
  host: string;
  names: string[];
  isRight: boolean;
}

export function drawHandshake(draw: Draw): HandshakeInput {
  const { host, names } = draw.pick(HOSTS);
  return {
    monitor: draw.pick(["HTTP", "TLS"] as const),
    host,
    names,
    left: draw.chance(0.9) ? 30 : -1,
    version: draw.pick(["TLSv1.2", "TLSv1.3"] as const),
    lie: drawLie(draw),
  };
}
