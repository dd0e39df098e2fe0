import { expect, test } from "bun:test";
import { createECDH } from "node:crypto";
import { encryptPush, MAX_PLAINTEXT } from "../../../src/alerts/webpush/encryption.ts";
import { decryptPush } from "../../support/servers/push-service.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
const text = (words: string) => new TextEncoder().encode(words);

/** RFC 8291, 5 and appendix A. */
const example = {
  message: "When I grow up, I want to be a watermelon",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  receiver: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  receiverPrivate: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  sender: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  senderPrivate: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml" +
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT" +
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

async function senderOf({ sender, senderPrivate }: typeof example): Promise<CryptoKeyPair> {
  const [x, y] = [bytes(sender).subarray(1, 33), bytes(sender).subarray(33)].map((part) =>
    Buffer.from(part).toString("base64url"),
  ) as [string, string];
  const P256 = { name: "ECDH", namedCurve: "P-256" };
  const jwk = { kty: "EC", crv: "P-256", x, y };
  return {
    publicKey: await crypto.subtle.importKey("jwk", jwk, P256, true, []),
    privateKey: await crypto.subtle.importKey("jwk", { ...jwk, d: senderPrivate }, P256, false, [
      "deriveBits",
    ]),
  };
}

test("behavior 21.52: the example of RFC 8291 is encrypted to the same bytes", async () => {
  const keys = { p256dh: bytes(example.receiver), auth: bytes(example.auth) };
  const once = { sender: await senderOf(example), salt: bytes(example.salt) };
  const body = await encryptPush(text(example.message), keys, once);
  expect(Buffer.from(body).toString("base64url")).toBe(example.body);
});

/** The receiver of the example. */
function receiver() {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(Buffer.from(bytes(example.receiverPrivate)));
  return { ecdh, auth: Buffer.from(bytes(example.auth)) };
}

test("behavior 21.52: the stand-in for a browser decrypts the example of RFC 8291", () => {
  expect(decryptPush(Buffer.from(bytes(example.body)), receiver()).toString()).toBe(example.message);
});

test("behavior 21.52: each message has keys of its own, and the longest one is a record of 4,096 bytes", async () => {
  const keys = { p256dh: bytes(example.receiver), auth: bytes(example.auth) };
  const message = text("x".repeat(MAX_PLAINTEXT));
  const bodies = await Promise.all([encryptPush(message, keys), encryptPush(message, keys)]);
  const [first, second] = bodies.map((body) => Buffer.from(body)) as [Buffer, Buffer];
  expect(first.length).toBe(4096);
  expect(first.subarray(0, 86)).not.toEqual(second.subarray(0, 86));
  for (const body of [first, second]) expect(decryptPush(body, receiver()).length).toBe(MAX_PLAINTEXT);
  expect(encryptPush(text("x".repeat(MAX_PLAINTEXT + 1)), keys)).rejects.toThrow("at most 3993 bytes");
});
