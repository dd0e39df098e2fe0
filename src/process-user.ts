import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** The user of this process, who may have no name, as in a container (behavior 9.107). */
export function userName(): string {
  const uid = process.getuid?.() ?? -1;
  return nameInPasswd(uid) ?? nameOfRuntime() ?? `user ${uid}`;
}

/** Bun 1.4.5 takes the name from the variable `USER`, which any user can set and a service does not have. */
function nameInPasswd(uid: number): string | undefined {
  try {
    const entries = readFileSync("/etc/passwd", "utf8").split("\n");
    return entries.map((entry) => entry.split(":")).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined;
  }
}

/** For users that a directory service knows. */
function nameOfRuntime(): string | undefined {
  try {
    const { username } = userInfo();
    return username === "unknown" ? undefined : username;
  } catch {
    return undefined;
  }
}
