import { homedir } from "node:os";

/** The home of the user of this process; `/` if there is none, as in a container, where `homedir()` throws. */
export function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
