import { z } from 'zod';
import type { Trajectory } from '@/contract/trajectory';
import { conversationTrajectory, finalObservation, type Message } from './conversation';
import { EvaluationTally, seedOfSample } from './evaluation-tally';
import {
  damaged,
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
} from './importer';
import { jsonLinesOf, readJsonFile } from './lines';
import { SampleNumbers } from './sample-numbers';
import { statedWhole } from './stated-whole';

const ChatMessage = z
  .union([
    z.object({ role: z.string(), content: z.string().nullable() }),
    z.object({ from: z.string(), value: z.string().nullable() }),
  ])
  .transform((message): Message =>
    'role' in message
      ? { by: message.role === 'assistant' ? 'agent' : 'environment', text: message.content ?? '' }
      : { by: message.from === 'gpt' ? 'agent' : 'environment', text: message.value ?? '' },
  );

const Episode = z.object({
  item_id: z.union([z.string(), z.int()]),
  conversations: z.array(ChatMessage),
  reward: z.number(),
  success: z.union([z.boolean(), z.number()]).nullish(),
  task_name: z.string().nullish(),
  sample_idx: z.number().nullish(),
  model: z.string().nullish(),
});
type Episode = z.infer<typeof Episode>;

/** `base_eval` and `distributed_eval` of AgentGym: a conversation a line. */
export const agentgymTrajectories: Importer = {
  format: 'agentgym-trajectories',
  recognises: ({ isFolder }, head) => {
    const line = head.split('\n')[0] ?? '';
    return (
      !isFolder && line.startsWith('{') && line.includes('"conversations"') && head.includes('"item_id"')
    );
  },
  read: readTrajectories,
};

/** Executor logs of AgentGym-RL: `step12/0.json`, or one such file, each an array of conversations. */
export const agentgymExecutor: Importer = {
  format: 'agentgym-executor',
  recognises: ({ files }, head) =>
    files.every(({ name }) => name.endsWith('.json')) &&
    /^\s*\[\s*\{[\s\S]*"conversations"/.test(head) &&
    head.includes('"item_id"'),
  read: readExecutorLogs,
};

async function* readTrajectories(
  source: ImportSource,
  context: ImportContext,
): AsyncGenerator<ImportedEvent> {
  const file = onlyFile(source);
  const disagreements = new FlagCount();
  const { step, split, checkpoint } = context.options;
  const evaluations = new EvaluationTally({ checkpoint, step, split, environment: 'agentgym' });
  const cut = (line: number) => context.skip({ file: file.name, line, reason: 'the last line is cut off' });
  const samples = new SampleNumbers();
  for await (const { line, value } of jsonLinesOf(file, cut)) {
    const episode = parseEpisode(value, file.name, line);
    if (episode.model) context.facts['engine'] = { model: episode.model };
    const sample = samples.numberOf(String(episode.item_id), episode.sample_idx ?? null);
    const played = trajectoryOf(episode, { step, split, phase: 'eval' }, disagreements);
    const trajectory = evaluations.add({ ...played, sample }, seedOfSample(sample));
    yield { file: file.name, line, at: null, event: { kind: 'trajectory:finished', trajectory } };
  }
  disagreements.tell(file.name, context);
  samples.tell(file.name, context);
  for (const evaluation of evaluations.results())
    yield { file: file.name, line: null, at: null, event: { kind: 'evaluation:finished', evaluation } };
}

async function* readExecutorLogs(
  source: ImportSource,
  context: ImportContext,
): AsyncGenerator<ImportedEvent> {
  const samples = new SampleNumbers();
  const evaluations = new Map<number, EvaluationTally>();
  for (const file of source.files) {
    const disagreements = new FlagCount();
    const items = z.array(z.unknown()).safeParse(await readJsonFile(file));
    if (!items.success)
      throw damaged(file.name, null, 'expected an array of {item_id, conversations, reward}');
    const place = placeOf(file.name, context);
    for (const [index, item] of items.data.entries()) {
      const episode = parseEpisode(item, `${file.name}, item ${index + 1}`, null);
      const sample = samples.numberOf(`${place.step}/${place.phase}/${episode.item_id}`, null);
      const played = { ...trajectoryOf(episode, place, disagreements), sample };
      const trajectory =
        place.phase === 'eval'
          ? tallyOf(evaluations, place.step, context).add(played, seedOfSample(sample))
          : played;
      yield { file: file.name, line: null, at: null, event: { kind: 'trajectory:finished', trajectory } };
    }
    disagreements.tell(file.name, context);
  }
  for (const evaluation of [...evaluations.values()].flatMap((tally) => tally.results()))
    yield { file: source.path, line: null, at: null, event: { kind: 'evaluation:finished', evaluation } };
}

function tallyOf(
  tallies: Map<number, EvaluationTally>,
  step: number,
  { options: { checkpoint, split } }: ImportContext,
): EvaluationTally {
  // A folder of several steps says itself which of the run's checkpoints played.
  const played = checkpoint && { ...checkpoint, step };
  const tally =
    tallies.get(step) ?? new EvaluationTally({ checkpoint: played, step, split, environment: 'agentgym' });
  tallies.set(step, tally);
  return tally;
}

/** `step12/0.json` is training's step 12; `steptest_batch_3/0.json` and a file alone are of an evaluation. */
function placeOf(name: string, { options }: ImportContext): Pick<Trajectory, 'step' | 'phase' | 'split'> {
  const trained = /(?:^|\/)step(\d+)\/[^/]*$/.exec(name)?.[1];
  if (trained !== undefined)
    return { step: statedWhole(name, null, 'step', trained), phase: 'train', split: 'train' };
  const evaluated = /(?:^|\/)step(\d+)\/steptest_batch_/.exec(name)?.[1];
  return {
    step: evaluated === undefined ? options.step : statedWhole(name, null, 'step', evaluated),
    phase: 'eval',
    split: options.split,
  };
}

function parseEpisode(value: unknown, file: string, line: number | null): Episode {
  const parsed = Episode.safeParse(value);
  if (parsed.success) {
    const { sample_idx: stated } = parsed.data;
    if (typeof stated === 'number') statedWhole(file, line, 'sample_idx', stated);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw damaged(file, line, `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'not valid'}`);
}

/** How often a source's own success flag says otherwise than the environment's last words. */
class FlagCount {
  private wrong = 0;

  add(isWrong: boolean): void {
    if (isWrong) this.wrong++;
  }

  tell(file: string, context: ImportContext): void {
    if (this.wrong > 0)
      context.skip({
        file,
        line: null,
        reason: `the success flag of ${this.wrong} episodes says 0 though the environment said "The task is completed.": taken as successes`,
      });
  }
}

const COMPLETED = 'The task is completed.';

function trajectoryOf(
  episode: Episode,
  place: Pick<Trajectory, 'step' | 'phase' | 'split'>,
  disagreements: FlagCount,
): Trajectory {
  const id = String(episode.item_id);
  const environment = episode.task_name ?? /^([a-z]+)_/i.exec(id)?.[1] ?? 'agentgym';
  const messages = withoutPrompt(episode.conversations);
  const isCompleted = finalObservation(messages)?.includes(COMPLETED) ?? false;
  // AgentGym's flag is `reward == 1`, which BabyAI's rewards never reach; where it is left out it is made alike.
  const flagged = Boolean(episode.success ?? episode.reward === 1);
  const success = environment === 'babyai' ? isCompleted || flagged : flagged;
  disagreements.add(isCompleted && episode.success !== undefined && episode.success !== null && !flagged);
  return conversationTrajectory(
    messages,
    {
      taskId: id,
      taskType: environment,
      reward: episode.reward,
      success,
      actions: environment === 'babyai' ? 'babyai' : 'last-action',
      stopReason: success ? 'success' : 'failure',
    },
    place,
  );
}

/** The first two messages are the instructions and a fixed answer to them. */
function withoutPrompt(messages: readonly Message[]): readonly Message[] {
  return messages[0]?.by === 'environment' && messages[1]?.by === 'agent' ? messages.slice(2) : messages;
}
