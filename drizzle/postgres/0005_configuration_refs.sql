ALTER TABLE "alert_channels" ADD COLUMN "ref" text;--> statement-breakpoint
ALTER TABLE "maintenances" ADD COLUMN "ref" text;--> statement-breakpoint
ALTER TABLE "monitors" ADD COLUMN "ref" text;--> statement-breakpoint
ALTER TABLE "monitors" ADD COLUMN "push_token" text;--> statement-breakpoint
ALTER TABLE "pages" ADD COLUMN "ref" text;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_channels_ref" ON "alert_channels" USING btree ("organization_pk","ref") WHERE ref IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "maintenances_ref" ON "maintenances" USING btree ("organization_pk","ref") WHERE ref IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "monitors_ref" ON "monitors" USING btree ("organization_pk","ref") WHERE ref IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "monitors_push_token" ON "monitors" USING btree ("push_token") WHERE push_token IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "pages_ref" ON "pages" USING btree ("organization_pk","ref") WHERE ref IS NOT NULL;