-- What of a trajectory's prompts was computed for it, and what of it was trained on. Not known of those stored before.
ALTER TABLE "Trajectory" ADD COLUMN "prefilledTokens" INTEGER;
ALTER TABLE "Trajectory" ADD COLUMN "trainedTokens" INTEGER;
