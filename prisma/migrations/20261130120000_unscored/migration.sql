-- What a log does not state of a trajectory's outcome is null: it counts as neither won nor lost, and in no mean.
ALTER TABLE "Trajectory" ALTER COLUMN "reward" DROP NOT NULL, ALTER COLUMN "success" DROP NOT NULL;
ALTER TABLE "Turn" ALTER COLUMN "reward" DROP NOT NULL;

UPDATE "Turn" SET "reward" = NULL
  FROM "Trajectory" trajectory
  WHERE trajectory."id" = "trajectoryId" AND 'imported' = ANY(trajectory."flags")
    AND ("index" < trajectory."turnsCount" - 1 OR trajectory."flags" && '{reward_not_stated,unscored}');
UPDATE "Trajectory" SET "reward" = NULL WHERE "flags" && '{reward_not_stated,unscored}';
-- A sample that ended in an error of its own counts as lost.
UPDATE "Trajectory" SET "success" = NULL, "failureMode" = NULL, "firstBadTurn" = NULL,
    "stopReason" = CASE WHEN "stopReason" = 'error' THEN 'error' ELSE 'not_stated' END,
    "marks" = "marks" || '{"failureMode": null, "firstBadTurn": null}'
  WHERE "flags" && '{success_not_stated,unscored}' AND "errorStage" IS DISTINCT FROM 'sample';

-- Detectors read trajectories as they were published.
UPDATE "RunEvent" SET "payload" = jsonb_set("payload", '{trajectory}', "payload" -> 'trajectory'
    || CASE WHEN "payload" #> '{trajectory,flags}' ?| '{reward_not_stated,unscored}'
         THEN '{"reward": null}'::jsonb ELSE '{}' END
    || CASE WHEN "payload" #> '{trajectory,flags}' ?| '{success_not_stated,unscored}'
           AND "payload" #>> '{trajectory,error,stage}' IS DISTINCT FROM 'sample'
         THEN jsonb_build_object('success', null, 'stopReason',
           CASE WHEN "payload" #>> '{trajectory,stopReason}' = 'error' THEN 'error' ELSE 'not_stated' END)
         ELSE '{}' END)
  WHERE "kind" = 'trajectory:finished'
    AND "payload" #> '{trajectory,flags}' ?| '{reward_not_stated,success_not_stated,unscored}';

-- The order by reward has those without one last.
DROP INDEX "Trajectory_reward_id_idx";
ALTER TABLE "Trajectory" ADD COLUMN "rewardPlace" DOUBLE PRECISION
  GENERATED ALWAYS AS (coalesce("reward", '-Infinity')) STORED;
CREATE INDEX "Trajectory_rewardPlace_id_idx" ON "Trajectory"("rewardPlace", "id");
