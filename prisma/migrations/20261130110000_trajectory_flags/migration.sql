-- Flags that a filter can be set to, without reading the trajectories that bear them.
CREATE TABLE "TrajectoryFlag" (
    "runId" TEXT NOT NULL,
    "flag" TEXT NOT NULL,

    CONSTRAINT "TrajectoryFlag_pkey" PRIMARY KEY ("runId", "flag"),
    CONSTRAINT "TrajectoryFlag_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What was stored before longer ones were cut, and no index holds, is not offered.
INSERT INTO "TrajectoryFlag" SELECT DISTINCT "runId", flag FROM "Trajectory", unnest("flags") flag
  WHERE octet_length(flag) <= 2500;
