-- What was read from a file or folder of another tool, and what of it was not.
CREATE TABLE "Import" (
    "id" SERIAL NOT NULL,
    "path" TEXT NOT NULL,
    "format" TEXT,
    "contentHash" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "runId" TEXT,
    "counts" JSONB NOT NULL,
    "skipped" JSONB NOT NULL,
    "skippedCount" INTEGER NOT NULL,
    "refusal" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Import_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Import_state_check" CHECK ("state" IN ('storing', 'imported', 'refused')),
    CONSTRAINT "Import_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Import_contentHash_idx" ON "Import"("contentHash");
CREATE INDEX "Import_runId_idx" ON "Import"("runId");

-- A model's score on a benchmark of general capability.
CREATE TABLE "Capability" (
    "id" SERIAL NOT NULL,
    "runId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "checkpointRunId" TEXT,
    "benchmark" TEXT NOT NULL,
    "result" JSONB NOT NULL,
    "at" BIGINT NOT NULL,
    CONSTRAINT "Capability_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Capability_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Capability_runId_attempt_seq_key" ON "Capability"("runId", "attempt", "seq");
CREATE INDEX "Capability_checkpointRunId_idx" ON "Capability"("checkpointRunId");
