CREATE TABLE "released_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"organization_pk" integer NOT NULL,
	"released_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "released_slugs" ADD CONSTRAINT "released_slugs_organization_pk_organizations_pk_fk" FOREIGN KEY ("organization_pk") REFERENCES "organizations"("pk") ON DELETE cascade ON UPDATE no action;