/** Set in the process that runs in the namespace. */
const INSIDE = "OBSTACLES_NAMESPACE";

/**
 * Runs this program again in namespaces of its own for the network and for mounts, if that is allowed: the stand-ins then have all ports and addresses for
 * themselves, also beside another course, and nothing that they send leaves the machine.
 *
 * @returns if it is the one inside, or if it is not allowed
 */
export async function enterNamespace(): Promise<void> {
  if (isInside() || !mayEnter()) return;
  const inside = [
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
    process.execPath,
    ...process.argv.slice(1),
  ];
  const child = Bun.spawn(["unshare", "--net", "--mount", ...inside], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, [INSIDE]: "1" },
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name));
  process.exit(await child.exited);
}

export function isInside(): boolean {
  return process.env[INSIDE] !== undefined;
}

function mayEnter(): boolean {
  const programs = ["unshare", "ip"].every((program) => Bun.which(program) !== null);
  const command = ["unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"];
  return programs && Bun.spawnSync(command, { stderr: "ignore" }).success;
}
