/**
 * Lets this process run before everything else, if that is allowed, because a stand-in that waits for a core looks slow. Its
 * children do not inherit this.
 */
export function preferStandIns(): void {
  const command = ["chrt", "--all-tasks", "--reset-on-fork", "--fifo", "--pid", "1", String(process.pid)];
  const isAllowed = Bun.which("chrt") !== null && Bun.spawnSync(command, { stderr: "ignore" }).success;
  if (!isAllowed)
    console.log("not allowed to raise the priority of the stand-ins: their delays count as errors");
}

/** Whether this user may let a process run before everything else. */
export function mayPrefer(): boolean {
  return (
    Bun.which("chrt") !== null && Bun.spawnSync(["chrt", "--fifo", "1", "true"], { stderr: "ignore" }).success
  );
}
