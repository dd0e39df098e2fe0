DROP INDEX "deliveries_page";--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "result_pk" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "monitor_pk" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_page" ON "deliveries" USING btree ("channel_pk","pk");