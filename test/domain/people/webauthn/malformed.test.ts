import { beforeAll, describe, expect, test } from "bun:test";
import { verifyAssertion, verifyRegistration } from "../../../../src/domain/people/webauthn/ceremony.ts";
import { isSignedBy, rawSignatureOf } from "../../../../src/domain/people/webauthn/passkey-signature.ts";
import { AppError } from "../../../../src/errors.ts";
import { type Encodable, encodeCbor } from "../../../support/people/cbor-encoder.ts";
import { randomNumbers } from "../../../support/people/random-numbers.ts";
import { base64url, FLAGS, SoftwareAuthenticator } from "../../../support/people/software-authenticator.ts";

const party = { id: "up.example.com", origin: "https://up.example.com" };
const challenge = "c".repeat(43);
const personId = "ana";
const user = { id: base64url(new TextEncoder().encode(personId)) };
const ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;

/** The eight points of small order, and their encodings that are not canonical (the paper "Taming the many EdDSAs", table 1). */
const SMALL_ORDER = [
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  `01${"00".repeat(30)}80`,
  `ec${"ff".repeat(31)}`,
  `ee${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(31)}`,
  `ed${"ff".repeat(31)}`,
  `ed${"ff".repeat(30)}7f`,
];

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));

/** @returns what failed; undefined if it was accepted. Fails if anything but a refusal is thrown */
async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.kind === "invalid") return error.message;
    throw error;
  }
}

describe.each(ALGORITHMS)("behavior 19.52, 19.55: a credential of %s", (algorithm) => {
  let own: SoftwareAuthenticator;
  let registration: Awaited<ReturnType<SoftwareAuthenticator["register"]>>;
  let assertion: Awaited<ReturnType<SoftwareAuthenticator["use"]>>;
  let publicKey: Uint8Array;
  const register = (given: typeof registration) => verifyRegistration(given, { challenge, party });
  const use = (given: typeof assertion, key = publicKey) => {
    const stored = { personId, publicKey: key, counter: 0, isBackupEligible: false };
    return verifyAssertion(given, { challenge, party, stored });
  };

  beforeAll(async () => {
    own = await SoftwareAuthenticator.create(party.origin, algorithm);
    registration = await own.register({ challenge, rp: party, user });
    assertion = await own.use({ challenge, rpId: party.id });
    publicKey = await own.coseKey();
  });

  test("is accepted as it is", async () => {
    const { credentialId, publicKey: key, ...rest } = await register(registration);
    expect([base64url(credentialId), base64url(key)]).toEqual([own.id, base64url(publicKey)]);
    expect(rest).toEqual({
      counter: 0,
      isBackupEligible: false,
      isBackedUp: false,
      transports: ["internal"],
    });
    expect(await use(assertion)).toEqual({ counter: 0, isBackedUp: false, wentBack: false });
  });

  test("is refused, and causes nothing else, wherever its bytes are cut", async () => {
    const { attestationObject } = registration.response;
    const { authenticatorData, signature } = assertion.response;
    for (let length = 0; length < bytesOf(attestationObject).length; length++) {
      const cut = base64url(bytesOf(attestationObject).subarray(0, length));
      const response = { ...registration.response, attestationObject: cut };
      expect(await refusalOf(register({ ...registration, response }))).toBeString();
    }
    for (const [field, whole] of Object.entries({ authenticatorData, signature }))
      for (let length = 0; length < bytesOf(whole).length; length++) {
        const response = { ...assertion.response, [field]: base64url(bytesOf(whole).subarray(0, length)) };
        expect(await refusalOf(use({ ...assertion, response }))).toBeString();
      }
  });

  test("that is signed is refused with any byte of it changed", async () => {
    for (const field of ["authenticatorData", "clientDataJSON", "signature"] as const) {
      const bytes = bytesOf(assertion.response[field]);
      for (let at = 0; at < bytes.length; at += 3) {
        const changed = bytes.with(at, (bytes[at] ?? 0) ^ 0x01);
        const response = { ...assertion.response, [field]: base64url(changed) };
        expect(await refusalOf(use({ ...assertion, response }))).toBeString();
      }
    }
  });

  test("in 2,000 broken forms causes nothing but refusals", async () => {
    const random = randomNumbers(19);
    const broken = (text: string) => base64url(mutated(bytesOf(text), random));
    let refused = 0;
    for (let round = 0; round < 1000; round++) {
      const { attestationObject } = registration.response;
      const response = { ...registration.response, attestationObject: broken(attestationObject) };
      if (await refusalOf(register({ ...registration, response }))) refused++;
      if (await refusalOf(use(assertion, mutated(publicKey, random)))) refused++;
    }
    expect(refused).toBeGreaterThan(1000);
  });
});

describe("behavior 19.52, 19.55: the data of extensions", () => {
  const HAS_EXTENSIONS = 0x80;
  /** The refusals of a registration and of a sign-in with some bytes behind the rest of the authenticator data. */
  async function refusalsOf(extensions: number[], flags = HAS_EXTENSIONS): Promise<(string | undefined)[]> {
    const own = await SoftwareAuthenticator.create(party.origin);
    const tricks = {
      flags: FLAGS.present | FLAGS.verified | flags,
      authData: (bytes: Uint8Array) => new Uint8Array([...bytes, ...extensions]),
    };
    const registration = await own.register({ challenge, rp: party, user }, tricks);
    const assertion = await own.use({ challenge, rpId: party.id }, tricks);
    const stored = { personId, publicKey: await own.coseKey(), counter: 0, isBackupEligible: false };
    return [
      await refusalOf(verifyRegistration(registration, { challenge, party })),
      await refusalOf(verifyAssertion(assertion, { challenge, party, stored })),
    ];
  }

  const MAP = [...encodeCbor(new Map<string, Encodable>([["credProtect", 2]]))];
  const malformed = "authenticatorData must be well-formed";
  const noCbor = "the credential must be well-formed CBOR";

  test("are accepted, though nobody asked for them", async () => {
    expect(await refusalsOf(MAP)).toEqual([undefined, undefined]);
  });

  test.each([
    ["that are missing", [], noCbor],
    ["that are cut", MAP.slice(0, -1), noCbor],
    ["with bytes behind them", [...MAP, 0], malformed],
    ["that are no map", [...encodeCbor("credProtect")], malformed],
    ["with a tag", [0xa1, 0x61, 0x78, 0xc0, 0x61, 0x61], noCbor],
    ["with a floating-point number", [0xa1, 0x61, 0x78, 0xfa, 0, 0, 0, 0], noCbor],
    ["with text that is not UTF-8", [0xa1, 0x62, 0xc3, 0x28, 0], noCbor],
    ["with a key twice", [0xa2, 0x61, 0x78, 0, 0x61, 0x78, 0], noCbor],
    ["of 2,000 levels", [0xa1, 0x61, 0x78, ...Array(2000).fill(0x81), 0], noCbor],
  ])("%s are refused", async (_, extensions, error) => {
    expect(await refusalsOf(extensions)).toEqual([error, error]);
  });

  test("that no flag names are refused", async () => {
    expect(await refusalsOf(MAP, 0)).toEqual([malformed, malformed]);
  });
});

describe("behavior 19.52: a public key", () => {
  const point = new Uint8Array(32).fill(7);
  const data = new Uint8Array(1);
  const cases: [string, [number, Encodable][]][] = [
    ["that is none", []],
    [
      "of an algorithm that we do not accept (ES384)",
      [
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, point],
        [-3, point],
      ],
    ],
    [
      "of another type than its algorithm",
      [
        [1, 3],
        [3, -7],
        [-1, 1],
        [-2, point],
        [-3, point],
      ],
    ],
    [
      "of another curve than its algorithm",
      [
        [1, 2],
        [3, -7],
        [-1, 2],
        [-2, point],
        [-3, point],
      ],
    ],
    [
      "that is not on its curve",
      [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point],
        [-3, point],
      ],
    ],
    [
      "with a sign in place of y",
      [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point],
        [-3, true],
      ],
    ],
    [
      "of EdDSA that is too short",
      [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, point.subarray(1)],
      ],
    ],
    [
      "of RSA with 1,024 bits",
      [
        [1, 3],
        [3, -257],
        [-1, new Uint8Array(128).fill(255)],
        [-2, new Uint8Array([1, 0, 1])],
      ],
    ],
    [
      "of RSA with 16,384 bits",
      [
        [1, 3],
        [3, -257],
        [-1, new Uint8Array(2048).fill(255)],
        [-2, new Uint8Array([1, 0, 1])],
      ],
    ],
    [
      "of RSA with a huge exponent",
      [
        [1, 3],
        [3, -257],
        [-1, new Uint8Array(256).fill(255)],
        [-2, new Uint8Array(256).fill(255)],
      ],
    ],
    ...SMALL_ORDER.map((x): [string, [number, Encodable][]] => [
      `of EdDSA with the point ${x} of small order`,
      [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, new Uint8Array(Buffer.from(x, "hex"))],
      ],
    ]),
    ...[[0], [1], [2], [0, 0, 0, 1], [1, 0]].map((exponent): [string, [number, Encodable][]] => [
      `of RSA with the exponent ${exponent}`,
      [
        [1, 3],
        [3, -257],
        [-1, new Uint8Array(256).fill(255)],
        [-2, new Uint8Array(exponent)],
      ],
    ]),
    ...[
      ["0", new Uint8Array(256)],
      ["1, with zeros in front", new Uint8Array(256).with(255, 1)],
      ["an even number", new Uint8Array(256).fill(254)],
    ].map(([name, modulus]): [string, [number, Encodable][]] => [
      `of RSA whose modulus is ${name}`,
      [
        [1, 3],
        [3, -257],
        [-1, modulus as Uint8Array],
        [-2, new Uint8Array([1, 0, 1])],
      ],
    ]),
  ];

  test.each(cases)("%s is refused", async (_, parameters) => {
    const key = encodeCbor(new Map(parameters));
    // A right signature in DER, so that the key is what is refused.
    const signature = new Uint8Array([0x30, 6, 2, 1, 1, 2, 1, 1]);
    expect(await refusalOf(isSignedBy(key, { signature, data }))).toBe(
      "the public key must be a valid one of ES256, EdDSA or RS256",
    );
  });
});

describe("behavior 19.55: a signature in DER", () => {
  test("is two numbers, with and without a zero in front", () => {
    const der = [0x30, 7, 0x02, 2, 0x00, 0x80, 0x02, 1, 0x7f];
    expect(rawSignatureOf(new Uint8Array(der), 2)).toEqual(new Uint8Array([0, 0x80, 0, 0x7f]));
  });

  test.each([
    ["empty", []],
    ["without numbers", [0x30, 0]],
    ["with one number", [0x30, 3, 0x02, 1, 1]],
    ["with a negative number", [0x30, 6, 0x02, 1, 0x80, 0x02, 1, 1]],
    ["with an empty number", [0x30, 5, 0x02, 0, 0x02, 1, 1]],
    ["with a zero too many", [0x30, 7, 0x02, 2, 0, 1, 0x02, 1, 1]],
    ["with the number 0", [0x30, 6, 0x02, 1, 0, 0x02, 1, 1]],
    ["with a number that is too large", [0x30, 8, 0x02, 3, 1, 1, 1, 0x02, 1, 1]],
    ["with a wrong length", [0x30, 9, 0x02, 1, 1, 0x02, 1, 1]],
    ["with a long form of a length", [0x30, 0x81, 6, 0x02, 1, 1, 0x02, 1, 1]],
    ["with bytes behind it", [0x30, 6, 0x02, 1, 1, 0x02, 1, 1, 0]],
    ["with a third number", [0x30, 9, 0x02, 1, 1, 0x02, 1, 1, 0x02, 1, 1]],
    ["of another type", [0x31, 6, 0x02, 1, 1, 0x02, 1, 1]],
  ])("%s is refused", (_, der) => {
    expect(rawSignatureOf(new Uint8Array(der), 2)).toBeUndefined();
  });
});

/** Bytes with up to three faults: other values, missing or repeated parts. */
function mutated(given: Uint8Array, random: (limit: number) => number): Uint8Array {
  let bytes = [...given];
  for (let times = random(2); times >= 0; times--) {
    const at = random(bytes.length - 1);
    const kind = random(3);
    if (kind <= 1) bytes[at] = kind === 0 ? random(255) : (bytes[at] ?? 0) ^ (1 << random(7));
    else if (kind === 2) bytes.splice(at, 1 + random(8));
    else bytes = [...bytes.slice(0, at), ...bytes.slice(at - random(at))];
    if (bytes.length === 0) bytes = [random(255)];
  }
  return new Uint8Array(bytes);
}
