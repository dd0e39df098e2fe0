import { cutEvidence, type EvidenceData } from "../../domain/evidence/evidence-data.ts";

/** The most bytes of the facts of one failure (behavior 22.6). */
const MAX_BYTES = 8 * 1024;

/** The facts of evidence as they are stored: compressed JSON. @returns null if they are too large even after cuts */
export function packEvidence(data: EvidenceData): Uint8Array | null {
  let packed: Uint8Array | null = null;
  const cut = cutEvidence(data, (one) => {
    packed = Bun.deflateSync(JSON.stringify(one));
    return packed.length <= MAX_BYTES;
  });
  return cut && packed;
}

export function unpackEvidence(packed: Uint8Array): EvidenceData {
  return JSON.parse(new TextDecoder().decode(Bun.inflateSync(new Uint8Array(packed))));
}
