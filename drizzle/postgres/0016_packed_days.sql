CREATE TABLE "packed_days" (
	"day" bigint PRIMARY KEY NOT NULL,
	"first_pk" bigint,
	"last_pk" bigint NOT NULL,
	"packed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "result_segments" (
	"monitor_pk" integer NOT NULL,
	"first_pk" bigint NOT NULL,
	"last_pk" bigint NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"statuses" integer NOT NULL,
	"count" integer NOT NULL,
	"data" "bytea" NOT NULL
) PARTITION BY RANGE ("first_at");
--> statement-breakpoint
ALTER TABLE "result_segments" ALTER COLUMN "data" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE INDEX "result_segments_monitor" ON "result_segments" USING btree ("monitor_pk","first_pk");