import { join } from "node:path";
import { isInside } from "../run/namespace.ts";
import type { World } from "../world/world.ts";

/** The programs that this process starts ask the DNS server of the world, until the end. */
export async function useResolver(folder: string, { dns }: World): Promise<Disposable> {
  if (!isInside()) throw new Error("another /etc/resolv.conf needs a namespace of its own");
  const file = join(folder, "resolv.conf");
  await Bun.write(file, `nameserver ${dns.address}\noptions timeout:1 attempts:1\n`);
  run("mount", "--bind", file, "/etc/resolv.conf");
  return { [Symbol.dispose]: () => run("umount", "/etc/resolv.conf") };
}

function run(...command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(`${command.join(" ")} failed: ${stderr}`);
}
