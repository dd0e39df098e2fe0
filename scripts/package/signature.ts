import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";

/** The public key that `install.sh` knows; undefined while there is none. */
export async function publicKey(): Promise<string | undefined> {
  const [, key] = /^public_key='([^']*)'/m.exec(await Bun.file("scripts/install.sh").text()) ?? [];
  return key || undefined;
}

/** Bytes of a secret key with its algorithms, its identifier and its checksum. */
const KEY_LENGTH = 158;

/** Signs files with minisign. The same file and key give the same signature: Ed25519 uses no random numbers. */
export class Signer {
  /** @param key the text of a secret key without a password @throws Error without minisign, or if the text is no key */
  constructor(private readonly key: string) {
    if (Bun.which("minisign") === null) throw new Error("minisign is missing (Debian: minisign)");
    const [, base64 = ""] = /^untrusted comment: .*\n([A-Za-z0-9+/]+=*)\s*$/.exec(key) ?? [];
    const bytes = Buffer.from(base64, "base64");
    if (bytes.length !== KEY_LENGTH || bytes.subarray(0, 2).toString() !== "Ed")
      throw new Error("it must be a secret key, as minisign -G -W writes it");
    // minisign would ask for it.
    if (bytes.subarray(2, 4).toString() === "Sc")
      throw new Error("it must have no password: minisign -C -W removes it");
  }

  /**
   * Writes `FILE.minisig`, and proves it with the public key that `install.sh` knows, if there is one.
   *
   * @param comment is signed too, in place of the time
   * @throws Error
   */
  async sign(file: string, comment: string): Promise<void> {
    // minisign reads keys only from files.
    const folder = mkdtempSync(join(tmpdir(), "stillup-key-"));
    try {
      const secret = join(folder, "key");
      writeFileSync(secret, this.key, { mode: 0o600 });
      const comments = ["-c", "signature of minisign", "-t", comment];
      const signed = await $`minisign -S -s ${secret} ${comments} -m ${file}`.quiet().nothrow();
      if (signed.exitCode !== 0)
        throw new Error(`minisign can't sign ${file}: ${String(signed.stderr).trim()}`);
      const known = await publicKey();
      if (known === undefined) return;
      const { exitCode } = await $`minisign -V -q -P ${known} -m ${file}`.quiet().nothrow();
      if (exitCode !== 0)
        throw new Error(`the key is not that of the public key ${known} in scripts/install.sh`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
