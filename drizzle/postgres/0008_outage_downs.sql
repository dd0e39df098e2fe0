CREATE TABLE "outage_downs" (
	"outage_pk" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	CONSTRAINT "outage_downs_outage_pk_started_at_pk" PRIMARY KEY("outage_pk","started_at")
);
--> statement-breakpoint
ALTER TABLE "outage_downs" ADD CONSTRAINT "outage_downs_outage_pk_outages_pk_fk" FOREIGN KEY ("outage_pk") REFERENCES "outages"("pk") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Until now an outage counted wholly by its worst status: down, expired, no_cert, missing or failed.
INSERT INTO outage_downs (outage_pk, started_at) SELECT pk, started_at FROM outages WHERE status IN (2, 6, 7, 9, 12);
