/** What a run's config asks of its worker beside engine, recipe and environment, as SQL on a row `run`. */

/** Variable that holds the key of its endpoint; null where it asks none, or one without a key. */
export const KEY_VARIABLE = `COALESCE(run."config" #>> '{endpoint,keyVariable}',
  CASE WHEN run."config" #>> '{judge,source}' = 'endpoint' AND run."config" #>> '{reward,judgeWeight}' IS DISTINCT FROM '0'
    THEN run."config" #>> '{judge,endpoint,keyVariable}' END,
  CASE WHEN run."config" #>> '{teacher,kind}' = 'endpoint' THEN run."config" #>> '{teacher,endpoint,keyVariable}' END)`;

/** Engine of its teacher; null where it has none, or one behind an endpoint. */
export const TEACHER_ENGINE = `NULLIF(run."config" #>> '{teacher,kind}', 'endpoint')`;

/** Model of its teacher's engine; null where it has no teacher. */
export const TEACHER_MODEL = `(run."config" #>> '{teacher,model}')`;
