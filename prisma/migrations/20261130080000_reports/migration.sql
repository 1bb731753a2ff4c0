-- The code that an attempt's worker ran: version, commit, and whether files differed from it.
ALTER TABLE "Attempt" ADD COLUMN "code" JSONB;

CREATE TABLE "Report" (
    "id" SERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "blocks" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Report_pkey" PRIMARY KEY ("id")
);

-- What a report cites cannot be deleted: each kind has its own foreign key.
CREATE TABLE "ReportCitation" (
    "id" SERIAL NOT NULL,
    "reportId" INTEGER NOT NULL,
    "runId" TEXT,
    "checkpointId" INTEGER,
    "trajectoryId" BIGINT,
    CONSTRAINT "ReportCitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "ReportCitation_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ReportCitation_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "ReportCitation_checkpointId_fkey" FOREIGN KEY ("checkpointId") REFERENCES "Checkpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "ReportCitation_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "ReportCitation_reportId_idx" ON "ReportCitation"("reportId");
CREATE INDEX "ReportCitation_runId_idx" ON "ReportCitation"("runId");
CREATE INDEX "ReportCitation_checkpointId_idx" ON "ReportCitation"("checkpointId");
CREATE INDEX "ReportCitation_trajectoryId_idx" ON "ReportCitation"("trajectoryId");
