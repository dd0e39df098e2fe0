/* Opens the database of a data directory as a later version would, with one migration more. argv: the directory */
import { migrations } from "../../src/store/sqlite/migrate.ts";
import { openDatabase } from "../../src/store/sqlite/open.ts";

/** Updates each row several times, so that the migration takes a while. */
const LATER = `ALTER TABLE hourly_rollups ADD COLUMN later integer; ${"UPDATE hourly_rollups SET later = coalesce(later, 0) + start; ".repeat(8)}`;

openDatabase(process.argv[2] ?? "", [...migrations, LATER]);
