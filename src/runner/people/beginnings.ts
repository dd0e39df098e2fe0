import type { Clock } from "../../clock.ts";
import { CHALLENGE_LENGTH, type ChallengeKind } from "../../domain/people/webauthn/client-data.ts";
import { fromBase64Url, toBase64Url } from "../../domain/people/webauthn/passkey-signature.ts";
import type { Store } from "../../store/store.ts";

/**
 * Sign-ins that have begun. Anybody can begin one, so nothing of it is stored: the browser keeps it, sealed with a key that all nodes
 * share. Only a use is stored, so that it can be used once.
 */
export interface Beginnings {
  /** Reads the key, or creates the first one. */
  start(): Promise<void>;
  /** Encrypts values for a cookie. @param until when they end, in milliseconds since 1970 */
  seal(values: object, until: number): string;
  /** @returns what `seal` was given; null if it was not made by this server, or has ended */
  open<Values>(sealed: string): { values: Values; until: number } | null;
  /** A new challenge for a passkey (behavior 19.53). @property personId null if anybody may answer it */
  challenge(use: ChallengeUse): string;
  /** @returns null unless this server made the challenge for this kind, and it has not ended */
  findChallenge(challenge: string, use: ChallengeUse): OpenChallenge | null;
  /**
   * Uses a state or a challenge up, at all nodes.
   *
   * @property keptFor the person who may use it once more @property by the person who uses it
   * @returns whether nobody else has used it
   */
  use(text: string, given: { until: number; keptFor?: string; by?: string }): Promise<boolean>;
  /** The authentication code of a text that is used again and again, such as the link of a notification: 128 bits in hexadecimal digits. */
  sign(text: string): string;
}

interface ChallengeUse {
  kind: ChallengeKind;
  personId: string | null;
}

/** @property until when it ends @property isForPerson whether this person may answer it */
export interface OpenChallenge {
  until: number;
  isForPerson: boolean;
}

const SEAL_KEY_BYTES = 32;

/** AES-256-GCM. */
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A challenge is its end in seconds, random bytes, a hash of its person, and an authentication code of all: 32 bytes. */
const END_BYTES = 4;
const RANDOM_BYTES = 8;
const PERSON_BYTES = 6;
const CODE_BYTES = 14;
const CHALLENGE_BYTES = END_BYTES + RANDOM_BYTES + PERSON_BYTES + CODE_BYTES;

const LINK_CODE_BYTES = 16;

/** Loaded at its first use, because it would delay each start. */
const nodeCrypto = () => process.getBuiltinModule("node:crypto");

const randomBytes = (length: number) => crypto.getRandomValues(Buffer.alloc(length));

/** Each purpose has a key of its own, derived from the stored key. */
type Purpose = "cookies" | "challenges" | "links";

export function createBeginnings({
  store,
  clock,
}: {
  store: Pick<Store, "beginnings">;
  clock: Pick<Clock, "now">;
}): Beginnings {
  let stored: Uint8Array | undefined;
  const keys: Partial<Record<Purpose, Buffer>> = {};

  function key(purpose: Purpose): Buffer {
    if (!stored) throw new Error("the key of beginnings was not read");
    keys[purpose] ??= Buffer.from(nodeCrypto().hkdfSync("sha256", stored, "", purpose, SEAL_KEY_BYTES));
    return keys[purpose];
  }

  function code(bytes: number, ...parts: (string | Uint8Array)[]): Buffer {
    const hmac = nodeCrypto().createHmac("sha256", key("challenges"));
    for (const part of parts) hmac.update(part);
    return hmac.digest().subarray(0, bytes);
  }

  const personCode = (random: Uint8Array, personId: string | null) =>
    code(PERSON_BYTES, "person ", random, personId ?? "");

  return {
    async start() {
      const found = await store.beginnings.findKey();
      stored = found ?? (await store.beginnings.storeKey(randomBytes(SEAL_KEY_BYTES)));
    },
    seal(values, until) {
      const iv = randomBytes(IV_BYTES);
      const cipher = nodeCrypto().createCipheriv(CIPHER, key("cookies"), iv);
      const text = cipher.update(JSON.stringify({ values, until }));
      return Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      const cipher = nodeCrypto().createDecipheriv(CIPHER, key("cookies"), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = cipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
        const found = JSON.parse(Buffer.concat([text, cipher.final()]).toString());
        return found.until > clock.now() ? found : null;
      } catch {
        return null;
      }
    },
    challenge({ kind, personId }) {
      const end = Buffer.alloc(END_BYTES);
      end.writeUInt32BE(Math.floor((clock.now() + CHALLENGE_LENGTH) / 1000));
      const random = randomBytes(RANDOM_BYTES);
      const content = Buffer.concat([end, random, personCode(random, personId)]);
      return toBase64Url(Buffer.concat([content, code(CODE_BYTES, `${kind} `, content)]));
    },
    findChallenge(challenge, { kind, personId }) {
      const bytes = Buffer.from(fromBase64Url(challenge));
      // Another text of the same bytes would count as another challenge.
      if (bytes.length !== CHALLENGE_BYTES || toBase64Url(bytes) !== challenge) return null;
      const content = bytes.subarray(0, -CODE_BYTES);
      if (!crypto.timingSafeEqual(bytes.subarray(-CODE_BYTES), code(CODE_BYTES, `${kind} `, content)))
        return null;
      const until = content.readUInt32BE() * 1000;
      if (until <= clock.now()) return null;
      const random = content.subarray(END_BYTES, END_BYTES + RANDOM_BYTES);
      const person = content.subarray(END_BYTES + RANDOM_BYTES);
      const isForPerson = [null, personId].some((id) =>
        crypto.timingSafeEqual(person, personCode(random, id)),
      );
      return { until, isForPerson };
    },
    use: (text, given) => store.beginnings.use({ text, ...given }),
    sign: (text) =>
      nodeCrypto()
        .createHmac("sha256", key("links"))
        .update(text)
        .digest()
        .subarray(0, LINK_CODE_BYTES)
        .toString("hex"),
  };
}
