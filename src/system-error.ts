/* The errors of the operating system, in words: the texts of the runtime are for its developers. */

/** Actions on a file, by the name of the system call; all others read it. */
const acts: Record<string, string> = {
  mkdir: "created",
  open: "opened",
  write: "written",
  fsync: "written",
  rename: "renamed",
  link: "created",
  unlink: "deleted",
  rm: "deleted",
  chmod: "changed",
};

const reasons: Record<string, string> = {
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  ENOENT: "there is no such file or directory",
};

/** Why a file can't be used, such as `permission denied`. The words of other errors of the system follow its code. */
export function fileReason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message.replace(/^E[A-Z0-9]+: /, "").replace(/, \w+( '.*)?$/s, "");
}

/** An error of the system as a sentence about its file, if it names one (behavior 9.104). */
export function systemFault(error: NodeJS.ErrnoException): string {
  const { path, syscall = "" } = error;
  if (path === undefined) return fileReason(error);
  return `${path} can't be ${acts[syscall] ?? "read"}: ${fileReason(error)}`;
}
