CREATE TABLE "TurnWords" (
    "trajectoryId" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "words" TSVECTOR NOT NULL,
    CONSTRAINT "TurnWords_pkey" PRIMARY KEY ("trajectoryId", "index", "part"),
    CONSTRAINT "TurnWords_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "TurnWords_words_idx" ON "TurnWords" USING GIN ("words");

CREATE TABLE "UnindexedTrajectory" (
    "trajectoryId" BIGINT NOT NULL,
    "runId" TEXT NOT NULL,
    "turns" INTEGER NOT NULL,
    CONSTRAINT "UnindexedTrajectory_pkey" PRIMARY KEY ("trajectoryId"),
    CONSTRAINT "UnindexedTrajectory_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "UnindexedTrajectory" SELECT "id", "runId", "turnsCount" FROM "Trajectory";

-- Lists go through a run's trajectories by step and id; the task types of all runs are read off the second index.
DROP INDEX "Trajectory_runId_step_phase_idx";
CREATE INDEX "Trajectory_runId_step_id_idx" ON "Trajectory"("runId", "step", "id");
CREATE INDEX "Trajectory_taskType_runId_idx" ON "Trajectory"("taskType", "runId");

-- What lists of runs are filtered by without opening each config.
ALTER TABLE "Run" ADD COLUMN "environment" TEXT GENERATED ALWAYS AS ("config" #>> '{environment,id}') STORED;

-- What lists of runs show and are ordered by without reading points and evaluations.
ALTER TABLE "Run" ADD COLUMN "lastRate" DOUBLE PRECISION, ADD COLUMN "bestRate" DOUBLE PRECISION;
WITH figures AS (
    SELECT DISTINCT ON ("runId", "step") "runId", "step", "successes"::double precision / "n" AS rate
    FROM "Evaluation"
    WHERE "policy" = 'checkpoint' AND "split" = 'valid_seen' AND "decoding" = 'sampled' AND "n" > 0
    ORDER BY "runId", "step", "attempt" DESC, "seq" DESC
), rates AS (
    SELECT "runId", max(rate) AS best, (array_agg(rate ORDER BY "step" DESC))[1] AS last FROM figures GROUP BY "runId"
)
UPDATE "Run" SET "lastRate" = rates.last, "bestRate" = rates.best FROM rates WHERE rates."runId" = "Run"."id";

CREATE TABLE "TokenSum" (
    "runId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sum" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "TokenSum_pkey" PRIMARY KEY ("runId", "name"),
    CONSTRAINT "TokenSum_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "TokenSum"
    SELECT series."runId", series."name", sum(point."value")
    FROM "Series" series JOIN "Point" point ON point."seriesId" = series."id"
    WHERE series."name" LIKE 'tokens/%' AND point."value" > '-Infinity' AND point."value" < 'Infinity'
    GROUP BY series."runId", series."name";
