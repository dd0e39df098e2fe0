CREATE TABLE "job_runs" (
	"monitor_pk" integer NOT NULL,
	"number" integer NOT NULL,
	"rid" text,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	"duration_ms" bigint,
	"outcome" text,
	"exit_code" smallint,
	CONSTRAINT "job_runs_monitor_pk_number_pk" PRIMARY KEY("monitor_pk","number")
);
--> statement-breakpoint
CREATE TABLE "run_outputs" (
	"monitor_pk" integer NOT NULL,
	"number" integer NOT NULL,
	"output" "bytea" NOT NULL,
	CONSTRAINT "run_outputs_monitor_pk_number_pk" PRIMARY KEY("monitor_pk","number")
);
