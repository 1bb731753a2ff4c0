-- The attempt after which a person last continued a run: those lost before it no longer count. Before, all counted.
ALTER TABLE "Run" ADD COLUMN "continuedAttempt" INTEGER NOT NULL DEFAULT 0;
