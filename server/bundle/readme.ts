import type { RunDetail } from '@/contract/api';
import { MISSING } from '@/contract/format';
import { RECIPE_IDS } from '@/contract/recipes/registry';
import type { AttemptRecord } from './run-records';

/** The README of a bundle: what is in it, and the command that runs it again. */
export function bundleReadme({ run }: RunDetail, attempts: readonly AttemptRecord[]): string {
  const { id, name, recipe, preset, seed, status } = run;
  return `# Run ${id}: ${name}

Recipe ${recipe}, preset ${preset}, seed ${seed ?? MISSING}; ${status} at step ${run.step} when this bundle was made.

## Again

${againWords(recipe)}

## Code

${codeWords(attempts)}

## Files

| file | holds |
| --- | --- |
| run.json | recipe, preset and the whole resolved config, seed and environment options among it |
| attempts.json | each try: worker, time, the step that it went on from, its code |
| environment.json | the environment's version and options, and the scaffold, as the evaluations state them |
| seeds.json | the run's seed, and those of its evaluations |
| tasks/SPLIT.json | tasks that the evaluations played, with the hash of the split's list; those of training follow from the seed |
| evaluations.json | every evaluation with its settings, as counts |
| checkpoints.json | every checkpoint: step, files with size and SHA-256 |
| metrics.csv | every point, as the command writes them: only rows of \`time/\` may differ |
`;
}

function againWords(recipe: string): string {
  if (!RECIPE_IDS.some((known) => known === recipe))
    return `This run is of recipe ${recipe}: it was not trained here, or works on checkpoints of other runs, so that the server is needed to run it again.`;
  const fromFile =
    recipe === 'sft'
      ? '\nWhere it imitates recorded trajectories, give their file with `--trajectories FILE`: they are no part of this bundle.'
      : '';
  return `In a checkout of the code below, with the models that run.json names in place:

    npm ci
    npm run train -- --config run.json --out again

\`again/metrics.csv\` then has the rows of \`metrics.csv\` but for those of \`time/\`, on the same kind of machine. A run that was resumed says the same as one that was not.${fromFile}`;
}

function codeWords(attempts: readonly AttemptRecord[]): string {
  if (attempts.length === 0) return 'No worker has taken the run yet.';
  const words = attempts.map(({ attempt, code }) => `- attempt ${attempt}: ${wordsOf(code)}`);
  return words.join('\n');
}

function wordsOf(code: AttemptRecord['code']): string {
  if (code === null) return 'its worker did not say';
  const { version, commit, dirty } = code;
  if (commit === null) return `version ${version}, from a folder that git does not know`;
  return `version ${version}, commit ${commit}${dirty ? ', with changed files that the commit does not have' : ''}`;
}
