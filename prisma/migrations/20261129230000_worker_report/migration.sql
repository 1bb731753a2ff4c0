-- What a worker says of its machine and its engines, and when it last did.
ALTER TABLE "Worker" ADD COLUMN "report" JSONB, ADD COLUMN "reportedAt" TIMESTAMPTZ(3);
