import { join } from "node:path";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import type { ProbedType } from "../../../src/domain/monitors/monitor.ts";
import { tempDir } from "../temp-dir.ts";

/** Runs one probe in a process of its own, because Bun reads the trusted authorities at its start. @param authority in PEM */
export async function observeTrusting(
  authority: string,
  type: ProbedType,
  config: object,
): Promise<Observation> {
  using folder = tempDir();
  const file = join(folder.path, "ca.pem");
  await Bun.write(file, authority);
  const program = join(import.meta.dir, "observe.ts");
  const child = Bun.spawn([process.execPath, program, type, JSON.stringify(config)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stderr: "inherit",
  });
  return (await new Response(child.stdout).json()) as Observation;
}
