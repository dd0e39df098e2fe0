import { type Encodable, encodeCbor } from "./cbor-encoder.ts";

export const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10 };
const ATTESTED = 0x40;

/** The differences of the authenticator or browser of an attacker from a right one. */
export interface Tricks {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: unknown;
  topOrigin?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  userHandle?: string;
  /** The ID in the JSON. */
  id?: string;
  /** Changes the authenticator data before it is signed. */
  authData?: (bytes: Uint8Array) => Uint8Array;
  /** A public key in CBOR, in place of its own. */
  publicKey?: Uint8Array;
  /** Another authenticator signs. */
  signer?: SoftwareAuthenticator;
}

type Algorithm = "ES256" | "EdDSA" | "RS256";

const ALGORITHMS = {
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
  RS256: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const;

/** A browser with a passkey of one person, at one origin. */
export class SoftwareAuthenticator {
  counter = 0;
  userHandle = "";

  private constructor(
    readonly origin: string,
    readonly algorithm: Algorithm,
    readonly credentialId: Uint8Array<ArrayBuffer>,
    private readonly keys: CryptoKeyPair,
  ) {}

  static async create(origin: string, algorithm: Algorithm = "ES256"): Promise<SoftwareAuthenticator> {
    const usages: ("sign" | "verify")[] = ["sign", "verify"];
    const keys = await crypto.subtle.generateKey(ALGORITHMS[algorithm], true, usages);
    const id = crypto.getRandomValues(new Uint8Array(16));
    return new SoftwareAuthenticator(origin, algorithm, id, keys as unknown as CryptoKeyPair);
  }

  get id(): string {
    return base64url(this.credentialId);
  }

  /** As `navigator.credentials.create()` and `toJSON()`. @param options of the server */
  async register(
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    tricks: Tricks = {},
  ) {
    this.userHandle = options.user.id;
    const given = { type: "webauthn.create", challenge: options.challenge, rpId: options.rp.id, ...tricks };
    const attested = new Uint8Array([
      ...new Uint8Array(16),
      ...[this.credentialId.length >> 8, this.credentialId.length & 0xff],
      ...this.credentialId,
      ...(tricks.publicKey ?? (await this.coseKey())),
    ]);
    const authData = await this.#authData({ ...given, attested });
    const attestation = new Map<string, Encodable>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return {
      id: tricks.id ?? this.id,
      rawId: tricks.id ?? this.id,
      type: "public-key" as const,
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#clientData(given)),
        attestationObject: base64url(encodeCbor(attestation)),
        authenticatorData: base64url(authData),
        transports: ["internal"],
      },
    };
  }

  /** As `navigator.credentials.get()` and `toJSON()`. @param options of the server */
  async use(options: { challenge: string; rpId: string }, tricks: Tricks = {}) {
    const given = { type: "webauthn.get", challenge: options.challenge, rpId: options.rpId, ...tricks };
    const authData = await this.#authData(given);
    const clientData = this.#clientData(given);
    const signed = new Uint8Array([...authData, ...(await sha256(clientData))]);
    return {
      id: tricks.id ?? this.id,
      rawId: tricks.id ?? this.id,
      type: "public-key" as const,
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(await (tricks.signer ?? this).sign(signed)),
        userHandle: tricks.userHandle ?? this.userHandle,
      },
    };
  }

  async sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const algorithm = ALGORITHMS[this.algorithm];
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, this.keys.privateKey, bytes));
    return this.algorithm === "ES256" ? derOf(signature) : signature;
  }

  async coseKey(): Promise<Uint8Array<ArrayBuffer>> {
    const jwk = await crypto.subtle.exportKey("jwk", this.keys.publicKey);
    const part = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));
    const parameters: Record<Algorithm, [number, Encodable][]> = {
      ES256: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, part(jwk.x)],
        [-3, part(jwk.y)],
      ],
      EdDSA: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, part(jwk.x)],
      ],
      RS256: [
        [1, 3],
        [3, -257],
        [-1, part(jwk.n)],
        [-2, part(jwk.e)],
      ],
    };
    return encodeCbor(new Map(parameters[this.algorithm]));
  }

  async #authData(
    given: Pick<Tricks, "flags" | "counter" | "authData"> & { rpId: string; attested?: Uint8Array },
  ): Promise<Uint8Array> {
    const { flags = FLAGS.present | FLAGS.verified, attested } = given;
    const head = new DataView(new ArrayBuffer(5));
    head.setUint8(0, flags | (attested ? ATTESTED : 0));
    head.setUint32(1, given.counter ?? this.counter);
    const rpIdHash = await sha256(new TextEncoder().encode(given.rpId));
    const bytes = new Uint8Array([...rpIdHash, ...new Uint8Array(head.buffer), ...(attested ?? [])]);
    return given.authData?.(bytes) ?? bytes;
  }

  #clientData({
    type,
    challenge,
    origin = this.origin,
    crossOrigin = false,
    topOrigin,
  }: Tricks): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin, topOrigin }));
  }
}

/** The two numbers of an ECDSA signature in DER (RFC 3279, section 2.2.3). */
function derOf(raw: Uint8Array): Uint8Array {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].map((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = [...number.subarray(first)];
    return digits[0] !== undefined && digits[0] >= 0x80 ? [0, ...digits] : digits;
  });
  const content = numbers.flatMap((digits) => [0x02, digits.length, ...digits]);
  return new Uint8Array([0x30, content.length, ...content]);
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
