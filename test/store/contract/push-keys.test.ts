import { expect, test } from "bun:test";
import { contractSuite } from "./suite.ts";

const pair = (byte: number) => ({
  publicKey: new Uint8Array(65).fill(byte),
  privateKey: new Uint8Array(32).fill(byte),
});

contractSuite("push-keys", (world) => {
  test("behavior 21.53: of several key pairs, the first that is stored stays", async () => {
    const { pushKeys } = world().store;
    const stored = await Promise.all([1, 2, 3].map((byte) => pushKeys.store(pair(byte))));
    const [first] = stored;
    expect(stored).toEqual([first, first, first] as typeof stored);
    await world().opened.reopen();
    expect(await world().store.pushKeys.find()).toEqual(first);
  });
});
