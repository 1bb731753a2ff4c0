-- The first turns of a trajectory that were taken over from an earlier play of its task. Before, every turn was played.
ALTER TABLE "Trajectory" ADD COLUMN "givenTurns" INTEGER NOT NULL DEFAULT 0;
