import { expect, test } from "bun:test";
import { DIALECTS, pingAddress } from "../../../src/probes/ping/dialect.ts";
import { AT, HEADER, PingMemory } from "../../../src/probes/ping/ping-socket.ts";

const address = pingAddress("192.0.2.1");
const echo = { address, sequence: 7, nonce: [0x01020304, 0x05060708], size: 32 } as const;

/** The memory after the reply to a ping has arrived. */
function received(size = 32) {
  const memory = new PingMemory(DIALECTS[address.family]);
  memory.writeEcho({ ...echo, size });
  memory.bytes.copyWithin(AT.packet, AT.echo, AT.echo + HEADER + size);
  memory.bytes.set(address.bytes, AT.source);
  return memory;
}

test.each([0, 3, 6, 8, 1400])("behavior 20.32: a reply of %p bytes has the data of its ping", (size) => {
  expect(received(size).isReplyTo({ ...echo, size }, HEADER + size)).toBe(true);
});

test("behavior 20.32: a reply of another address, of another size or with another nonce is not counted", () => {
  const length = HEADER + echo.size;
  expect(received().isReplyTo({ ...echo, address: pingAddress("192.0.2.2") }, length)).toBe(false);
  expect(received().isReplyTo(echo, length - 1)).toBe(false);
  expect(received().isReplyTo({ ...echo, nonce: [0x01020304, 0x05060709] }, length)).toBe(false);
  expect(received().isReplyTo({ ...echo, nonce: [0x11020304, 0x05060708] }, length)).toBe(false);
  expect(received(5).isReplyTo({ ...echo, size: 5, nonce: [0x01020304, 0x06060708] }, HEADER + 5)).toBe(
    false,
  );
});

test.each([
  ["192.0.2.1", [2, 0, 0, 0, 192, 0, 2, 1]],
  ["::ffff:192.0.2.1", [2, 0, 0, 0, 192, 0, 2, 1]],
  ["0.0.0.0", [2, 0, 0, 0, 127, 0, 0, 1]],
  ["::1", [10, 0, 0, 0, 0, 0, 0, 0, ...new Array(15).fill(0), 1]],
  ["::", [10, 0, 0, 0, 0, 0, 0, 0, ...new Array(15).fill(0), 1]],
  ["fe80::1%7", [10, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0x80, ...new Array(13).fill(0), 1, 7, 0, 0, 0]],
])("the address %s of a target", (text, bytes) => {
  const given = [...pingAddress(text).bytes];
  expect(given.slice(0, bytes.length)).toEqual(bytes);
  expect(given.slice(bytes.length).every((byte) => byte === 0)).toBe(true);
});
