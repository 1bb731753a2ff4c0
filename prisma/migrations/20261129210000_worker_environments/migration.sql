-- Environments a worker can play in: some need data or servers that only some workers have. Those that connected before
-- could play in BabyAI.
ALTER TABLE "Worker" ADD COLUMN "environments" TEXT[] DEFAULT ARRAY['babyai'];
ALTER TABLE "Worker" ALTER COLUMN "environments" DROP DEFAULT;
