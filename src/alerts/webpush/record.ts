/* The only record of a push message (RFC 8188, 2). Lengths are bytes. */

/** Every push service accepts a body of this size (RFC 8030, 7.2). */
export const RECORD_SIZE = 4096;

export const SALT_LENGTH = 16;
const TAG_LENGTH = 16;
/** An uncompressed point of P-256. */
const POINT_LENGTH = 65;
/** Salt, size of the records, length of the key ID, and the key ID, which is the public key of the sender. */
const HEADER_LENGTH = SALT_LENGTH + 4 + 1 + POINT_LENGTH;

/** Ends the plaintext of the last record. */
export const LAST_RECORD = 2;

/** The longest plaintext of one record. The header counts too, because a push service limits the whole body. */
export const MAX_PLAINTEXT = RECORD_SIZE - HEADER_LENGTH - TAG_LENGTH - 1;
