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
  const [seen] = await observeTimes(1, { authority, type, config });
  return seen as Observation;
}

/** Runs a probe several times, one after another in one process. */
export async function observeTimes(
  times: number,
  { authority, type, config }: { authority: string; type: ProbedType; config: object },
): Promise<Observation[]> {
  using folder = tempDir();
  const file = join(folder.path, "ca.pem");
  await Bun.write(file, authority);
  const program = join(import.meta.dir, "observe.ts");
  const child = Bun.spawn([process.execPath, program, type, JSON.stringify(config), String(times)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stderr: "inherit",
  });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Observation);
}
