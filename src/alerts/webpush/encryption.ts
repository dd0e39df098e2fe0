const P256 = { name: "ECDH", namedCurve: "P-256" };

/** The keys of a subscription, as a browser gives them. @property p256dh an uncompressed point @property auth 16 bytes */
export interface SubscriptionKeys {
  p256dh: Bytes;
  auth: Bytes;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The values that no two messages share: a pair of keys of P-256, and 16 bytes. */
interface Once {
  sender: CryptoKeyPair;
  salt: Bytes;
}

/**
 * Encrypts a message for a browser: `aes128gcm` (RFC 8188) with the keys of RFC 8291, as one record.
 *
 * @param message at most `MAX_PLAINTEXT` bytes
 * @throws RangeError for a longer one, and whatever WebCrypto throws for a key that is no point of P-256
 */
export async function encryptPush(
  message: Bytes,
  { p256dh, auth }: SubscriptionKeys,
  once?: Once,
): Promise<Bytes> {
  if (message.byteLength > MAX_PLAINTEXT)
    throw new RangeError(`a push message must have at most ${MAX_PLAINTEXT} bytes`);
  const { sender, salt } = once ?? (await drawOnce());
  const own = new Uint8Array(await crypto.subtle.exportKey("raw", sender.publicKey));
  const { key, nonce } = await contentKeys({ p256dh, auth }, { sender, salt, own });
  const padded = concat(message, new Uint8Array([LAST_RECORD]));
  const record = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, padded);
  return concat(headerOf(salt, own), new Uint8Array(record));
}

async function drawOnce(): Promise<Once> {
  const sender = (await crypto.subtle.generateKey(P256, true, ["deriveBits"])) as CryptoKeyPair;
  return { sender, salt: crypto.getRandomValues(new Uint8Array(SALT_LENGTH)) };
}

/** The key and the nonce of the only record (RFC 8291, 3.4). @param own the public key of the sender */
async function contentKeys(
  { p256dh, auth }: SubscriptionKeys,
  { sender, salt, own }: Once & { own: Bytes },
): Promise<{ key: CryptoKey; nonce: Bytes }> {
  const receiver = await crypto.subtle.importKey("raw", p256dh, P256, false, []);
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: receiver }, sender.privateKey, 256);
  const secret = await derive(new Uint8Array(shared), {
    salt: auth,
    info: concat(textBytes("WebPush: info\0"), p256dh, own),
    bytes: 32,
  });
  const key = await derive(secret, { salt, info: textBytes("Content-Encoding: aes128gcm\0"), bytes: 16 });
  const nonce = await derive(secret, { salt, info: textBytes("Content-Encoding: nonce\0"), bytes: 12 });
  return { key: await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]), nonce };
}

/** HKDF with SHA-256 (RFC 5869). */
async function derive(
  secret: Bytes,
  { salt, info, bytes }: { salt: Bytes; info: Bytes; bytes: number },
): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, bytes * 8));
}

function headerOf(salt: Bytes, own: Bytes): Bytes {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_SIZE);
  return concat(salt, size, new Uint8Array([own.byteLength]), own);
}

function concat(...parts: Bytes[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

function textBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/* The only record of a push message (RFC 8188, 2). Lengths are bytes. */

/** Every push service accepts a body of this size (RFC 8030, 7.2). */
const RECORD_SIZE = 4096;

const SALT_LENGTH = 16;
const TAG_LENGTH = 16;
/** An uncompressed point of P-256. */
const POINT_LENGTH = 65;
/** Salt, size of the records, length of the key ID, and the key ID, which is the public key of the sender. */
const HEADER_LENGTH = SALT_LENGTH + 4 + 1 + POINT_LENGTH;

/** Ends the plaintext of the last record. */
const LAST_RECORD = 2;

/** The longest plaintext of one record. The header counts too, because a push service limits the whole body. */
export const MAX_PLAINTEXT = RECORD_SIZE - HEADER_LENGTH - TAG_LENGTH - 1;
