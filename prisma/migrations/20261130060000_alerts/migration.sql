-- Marks of a trajectory's turns, computed as it is stored. Rows stored before get theirs when their run is analysed.
ALTER TABLE "Trajectory" ADD COLUMN "marks" JSONB, ADD COLUMN "failureMode" TEXT, ADD COLUMN "firstBadTurn" INTEGER;

CREATE TABLE "RunAnalysis" (
    "runId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "readings" JSONB NOT NULL,
    "analysedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "RunAnalysis_pkey" PRIMARY KEY ("runId"),
    CONSTRAINT "RunAnalysis_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Alert" (
    "id" SERIAL NOT NULL,
    "runId" TEXT NOT NULL,
    "detector" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "lastStep" INTEGER NOT NULL,
    "isOver" BOOLEAN NOT NULL,
    "severity" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "acknowledgedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Alert_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Alert_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Alert_runId_detector_subject_step_key" ON "Alert"("runId", "detector", "subject", "step");

CREATE TABLE "MetricMark" (
    "runId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "MetricMark_pkey" PRIMARY KEY ("runId", "name"),
    CONSTRAINT "MetricMark_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
