CREATE TABLE "Worker" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "protocol" INTEGER NOT NULL,
    "engines" TEXT[],
    "devices" TEXT[],
    "recipes" TEXT[],
    "connected" BOOLEAN NOT NULL DEFAULT false,
    "lastBeatAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Worker_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "WorkerToken" (
    "id" SERIAL NOT NULL,
    "label" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "WorkerToken_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "WorkerToken_hash_key" ON "WorkerToken"("hash");

CREATE TABLE "Run" (
    "id" TEXT NOT NULL,
    "number" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "recipe" TEXT NOT NULL,
    "preset" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "config" JSONB NOT NULL,
    "configVersion" INTEGER NOT NULL,
    "engine" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "reason" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "step" INTEGER NOT NULL DEFAULT 0,
    "steps" INTEGER,
    "rewardMean" DOUBLE PRECISION,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "position" INTEGER NOT NULL DEFAULT 0,
    "view" JSONB NOT NULL,
    "workerId" TEXT,
    "lastBeatAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Run_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Run_workerId_fkey" FOREIGN KEY ("workerId") REFERENCES "Worker"("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "Run_status_check" CHECK ("status" IN
        ('queued', 'starting', 'running', 'paused', 'stopping', 'finished', 'failed', 'stopped', 'lost')),
    CONSTRAINT "Run_kind_check" CHECK ("kind" IN ('training', 'evaluation', 'import'))
);
CREATE UNIQUE INDEX "Run_number_key" ON "Run"("number");
CREATE INDEX "Run_status_number_idx" ON "Run"("status", "number");
CREATE INDEX "Run_workerId_idx" ON "Run"("workerId");

CREATE TABLE "Attempt" (
    "runId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "workerId" TEXT NOT NULL,
    "acknowledgedSeq" INTEGER NOT NULL DEFAULT -1,
    "resumedFromStep" INTEGER,
    "claimedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Attempt_pkey" PRIMARY KEY ("runId", "attempt"),
    CONSTRAINT "Attempt_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "Attempt_workerId_idx" ON "Attempt"("workerId");

CREATE TABLE "RunEvent" (
    "runId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER,
    "at" BIGINT NOT NULL,
    "v" INTEGER NOT NULL DEFAULT 1,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    CONSTRAINT "RunEvent_pkey" PRIMARY KEY ("runId", "position"),
    CONSTRAINT "RunEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "RunEvent_runId_attempt_seq_key" ON "RunEvent"("runId", "attempt", "seq");

CREATE TABLE "Series" (
    "id" SERIAL NOT NULL,
    "runId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    CONSTRAINT "Series_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Series_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Series_runId_name_key" ON "Series"("runId", "name");

CREATE TABLE "Point" (
    "seriesId" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "at" BIGINT NOT NULL,
    CONSTRAINT "Point_pkey" PRIMARY KEY ("seriesId", "attempt", "seq", "ordinal")
);
CREATE INDEX "Point_seriesId_step_idx" ON "Point"("seriesId", "step");

CREATE TABLE "Trajectory" (
    "id" BIGSERIAL NOT NULL,
    "runId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "split" TEXT NOT NULL,
    "taskId" TEXT NOT NULL,
    "taskType" TEXT NOT NULL,
    "goal" TEXT NOT NULL,
    "group" INTEGER,
    "sample" INTEGER NOT NULL,
    "decoding" TEXT NOT NULL,
    "seed" BIGINT NOT NULL,
    "reward" DOUBLE PRECISION NOT NULL,
    "shapedReward" DOUBLE PRECISION,
    "advantage" DOUBLE PRECISION,
    "success" BOOLEAN NOT NULL,
    "turnsCount" INTEGER NOT NULL,
    "invalidActions" INTEGER NOT NULL,
    "promptTokens" INTEGER NOT NULL,
    "replyTokens" INTEGER NOT NULL,
    "stopReason" TEXT NOT NULL,
    "flags" TEXT[],
    "errorStage" TEXT,
    "errorMessage" TEXT,
    "finalPicture" TEXT,
    "finalObservation" TEXT,
    CONSTRAINT "Trajectory_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Trajectory_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Trajectory_runId_attempt_seq_key" ON "Trajectory"("runId", "attempt", "seq");
CREATE INDEX "Trajectory_runId_step_phase_idx" ON "Trajectory"("runId", "step", "phase");
CREATE INDEX "Trajectory_runId_taskId_step_idx" ON "Trajectory"("runId", "taskId", "step");

CREATE TABLE "Turn" (
    "trajectoryId" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "observation" TEXT NOT NULL,
    "availableActions" TEXT[],
    "prompt" TEXT,
    "reply" TEXT NOT NULL,
    "thought" TEXT,
    "action" TEXT NOT NULL,
    "formatOk" BOOLEAN NOT NULL,
    "admissible" BOOLEAN NOT NULL,
    "valid" BOOLEAN NOT NULL,
    "reward" DOUBLE PRECISION NOT NULL,
    "promptTokens" INTEGER NOT NULL,
    "replyTokens" INTEGER NOT NULL,
    "tokenIds" BYTEA,
    "tokenTexts" TEXT[],
    "tokenLogprobs" BYTEA,
    "picture" TEXT,
    "stateHash" TEXT,
    CONSTRAINT "Turn_pkey" PRIMARY KEY ("trajectoryId", "index"),
    CONSTRAINT "Turn_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Evaluation" (
    "id" SERIAL NOT NULL,
    "runId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "policy" TEXT NOT NULL,
    "split" TEXT NOT NULL,
    "decoding" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "successes" INTEGER NOT NULL,
    "result" JSONB NOT NULL,
    "at" BIGINT NOT NULL,
    CONSTRAINT "Evaluation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Evaluation_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Evaluation_runId_attempt_seq_key" ON "Evaluation"("runId", "attempt", "seq");
CREATE INDEX "Evaluation_runId_policy_split_decoding_step_idx"
    ON "Evaluation"("runId", "policy", "split", "decoding", "step");

CREATE TABLE "Checkpoint" (
    "id" SERIAL NOT NULL,
    "runId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "parentStep" INTEGER,
    "size" BIGINT NOT NULL,
    "files" JSONB NOT NULL,
    "locations" JSONB NOT NULL,
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Checkpoint_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Checkpoint_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "Checkpoint_runId_attempt_step_key" ON "Checkpoint"("runId", "attempt", "step");
CREATE INDEX "Checkpoint_runId_complete_step_idx" ON "Checkpoint"("runId", "complete", "step");
