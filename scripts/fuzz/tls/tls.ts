import { shorter } from "../bytes/mutate.ts";
import type { Protocol } from "../protocol.ts";
import { drawCertificate } from "./draw-certificate.ts";
import { drawHandshake } from "./draw-handshake.ts";
import type { TlsInput } from "./input.ts";
import { judgeCertificate } from "./judge-certificate.ts";
import { judgeHandshake } from "./judge-handshake.ts";

/** A handshake needs sockets, and a thousand times as long as a certificate. */
const SHARE_OF_HANDSHAKES = 0.005;

/** Certificates, and handshakes with servers that lie. */
export const tls: Protocol<TlsInput> = {
  outcomes: [
    ...["certificate", "malformed"],
    ...["reached", "certified", "tls_invalid", "failed"].map((outcome) => `handshake ${outcome}`),
  ],
  draw(draw) {
    if (draw.chance(SHARE_OF_HANDSHAKES)) return { kind: "handshake", ...drawHandshake(draw) };
    return { kind: "certificate", ...drawCertificate(draw) };
  },
  judge: async (input) => (input.kind === "handshake" ? judgeHandshake(input) : judgeCertificate(input)),
  *simpler(input) {
    if (input.kind === "handshake") {
      const { host, names } = { host: "cut.test", names: ["cut.test"] };
      if (input.host !== host || String(input.names) !== String(names)) yield { ...input, host, names };
      if (input.left < 0) yield { ...input, left: 30 };
    } else if (input.truth === null) for (const der of shorter(input.der)) yield { ...input, der };
  },
};
