-- How likely recorded replies are to other checkpoints than the one that wrote them.
CREATE TABLE "ActionScores" (
    "runId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "trajectoryId" BIGINT NOT NULL,
    "scores" JSONB NOT NULL,
    CONSTRAINT "ActionScores_pkey" PRIMARY KEY ("runId", "attempt", "seq"),
    CONSTRAINT "ActionScores_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "ActionScores_trajectoryId_idx" ON "ActionScores"("trajectoryId");

-- What a person tells a run that is played by hand.
CREATE TABLE "RunCommand" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "command" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "RunCommand_pkey" PRIMARY KEY ("runId", "number"),
    CONSTRAINT "RunCommand_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "RunCommand_runId_key_key" ON "RunCommand"("runId", "key");
