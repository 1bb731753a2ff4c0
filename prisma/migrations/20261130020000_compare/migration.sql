-- Evaluations of a checkpoint by other runs are found by the beginning of their key, whatever the database's collation.
CREATE INDEX "Evaluation_key_idx" ON "Evaluation"("key" text_pattern_ops);
