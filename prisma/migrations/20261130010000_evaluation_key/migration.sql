-- An evaluation's name within its run, on it and on its trajectories. Rows stored before have none.
ALTER TABLE "Evaluation" ADD COLUMN "key" TEXT;
ALTER TABLE "Trajectory" ADD COLUMN "evaluation" TEXT;
CREATE INDEX "Trajectory_runId_evaluation_idx" ON "Trajectory"("runId", "evaluation");
