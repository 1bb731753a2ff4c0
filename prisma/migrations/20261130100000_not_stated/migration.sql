-- What a source does not state is null: seeds of imports, and tokens of logs that count none.
ALTER TABLE "Run" ALTER COLUMN "seed" DROP NOT NULL;
UPDATE "Run" SET "seed" = NULL WHERE "kind" = 'import';

ALTER TABLE "Trajectory"
  ALTER COLUMN "seed" DROP NOT NULL,
  ALTER COLUMN "promptTokens" DROP NOT NULL,
  ALTER COLUMN "replyTokens" DROP NOT NULL;
ALTER TABLE "Turn"
  ALTER COLUMN "promptTokens" DROP NOT NULL,
  ALTER COLUMN "replyTokens" DROP NOT NULL;
UPDATE "Turn" SET "promptTokens" = NULL, "replyTokens" = NULL
  FROM "Trajectory" trajectory
  WHERE trajectory."id" = "trajectoryId" AND 'imported' = ANY(trajectory."flags");
UPDATE "Trajectory" SET
    "seed" = NULL,
    "promptTokens" = nullif("promptTokens", 0),
    "replyTokens" = CASE WHEN "promptTokens" = 0 THEN NULL ELSE "replyTokens" END
  WHERE 'imported' = ANY("flags");

-- The order by reply tokens has those without a count last.
DROP INDEX "Trajectory_replyTokens_id_idx";
ALTER TABLE "Trajectory" ADD COLUMN "tokensPlace" INTEGER GENERATED ALWAYS AS (coalesce("replyTokens", -1)) STORED;
CREATE INDEX "Trajectory_tokensPlace_id_idx" ON "Trajectory"("tokensPlace", "id");
