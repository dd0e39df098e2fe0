import { AppError } from "../errors.ts";

/** The last commit before the first release whose builds migrate the databases of all earlier ones, to the initial schema. */
const UPGRADED_BY = "a74cee96fdde";

/** @param name of the database, as users know it */
export function tooOld(name: string): AppError {
  return new AppError(
    "refused",
    `${name} was created by a build older than the first release: start the build of commit ${UPGRADED_BY} on it once`,
  );
}
