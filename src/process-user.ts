import { userInfo } from "node:os";

/** The user of this process, who may have no name, as in a container. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
