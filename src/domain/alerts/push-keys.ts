/** The key pair by which push services know this server (RFC 8292). It never leaves the server, except the public key. */
export interface PushKeys {
  /** An uncompressed point of P-256, 65 bytes. */
  publicKey: Uint8Array;
  /** 32 bytes. */
  privateKey: Uint8Array;
}
