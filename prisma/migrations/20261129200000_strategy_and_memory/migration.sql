-- What scaffolds keep between calls: a strategy for the whole episode, a memory from turn to turn.
ALTER TABLE "Trajectory" ADD COLUMN "strategy" TEXT;
ALTER TABLE "Turn" ADD COLUMN "memory" TEXT;
