CREATE TABLE "gone_monitors" (
	"monitor_pk" integer PRIMARY KEY NOT NULL,
	"gone_at" bigint NOT NULL,
	"was_enabled" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gone_monitors" ADD CONSTRAINT "gone_monitors_monitor_pk_monitors_pk_fk" FOREIGN KEY ("monitor_pk") REFERENCES "monitors"("pk") ON DELETE cascade ON UPDATE no action;