-- Figures of a list of runs are read off the index alone.
DROP INDEX "Evaluation_runId_policy_split_decoding_step_idx";
CREATE INDEX "Evaluation_figures_idx" ON "Evaluation"
    ("runId", "policy", "split", "decoding", "step", "attempt", "seq", "successes", "n");

-- Orders of lists of trajectories, of one run or all.
CREATE INDEX "Trajectory_reward_id_idx" ON "Trajectory"("reward", "id");
CREATE INDEX "Trajectory_turnsCount_id_idx" ON "Trajectory"("turnsCount", "id");
CREATE INDEX "Trajectory_invalidActions_id_idx" ON "Trajectory"("invalidActions", "id");
CREATE INDEX "Trajectory_replyTokens_id_idx" ON "Trajectory"("replyTokens", "id");
