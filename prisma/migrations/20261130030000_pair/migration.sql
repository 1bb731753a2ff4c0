-- What else is known of each token of a reply, stored as "tokenLogprobs" is: entropy, a teacher's log-probability.
ALTER TABLE "Turn" ADD COLUMN "tokenEntropies" BYTEA, ADD COLUMN "tokenTeacherLogprobs" BYTEA;
