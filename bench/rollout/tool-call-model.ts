/** A model for long conversations of tool calls: random weights, and a vocabulary of the words that are said in them. */
import { BABYAI_TEXT_DEFAULTS } from '@/contract/environments/babyai-text';
import { openPureEnvironment } from '@/rl/environments/registry';
import { createRandom } from '@/rl/random';
import type { Scaffold } from '@/rl/scaffolds/scaffold';
import { saveCheckpoint } from '@/workers/engines/onnx/checkpoint/folder';
import { initializeParameters } from '@/workers/engines/onnx/model/initialize';
import { buildPhraseTokenizer } from '@/workers/engines/onnx/tokenizer/phrase-tokenizer';

const EPISODES = 60;
const TURNS = 20;
const ACTIONS = ['turn left', 'turn right', 'go forward', 'pick up', 'drop', 'toggle'];
const TOOLS = ['turn_left', 'turn_right', 'go_forward', 'pick_up', 'drop', 'toggle'];
const THOUGHTS = [
  'I look at what is in front of me and think about the goal before I act.',
  'The goal is not within sight, so I go on and look at another part of the room.',
  'I remember where I saw the object, it is a few steps away from here.',
];

/** Every tool called after every thought: replies that the scaffold takes for valid calls. */
export function toolCallReplies(): string[] {
  return THOUGHTS.flatMap((thought) =>
    TOOLS.map(
      (name) =>
        `<think>\n${thought}\n</think>\n\n<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>`,
    ),
  );
}

/** Writes the model as a Hugging Face folder: about a million parameters, room for the longest conversation. */
export async function writeToolCallModel(dir: string, scaffold: Scaffold): Promise<void> {
  const words = [...(await worldTexts(scaffold)), ...toolCallReplies()].flatMap((text) =>
    text.split(/(?=\s)/),
  );
  const { vocabularySize, tokenizerJson, tokenizerConfig, generationConfig } = buildPhraseTokenizer(words);
  const config = {
    vocabularySize,
    hiddenSize: 128,
    layers: 4,
    heads: 4,
    keyValueHeads: 2,
    intermediateSize: 448,
    ropeTheta: 10_000,
    rmsNormEps: 1e-6,
    tiedEmbeddings: true,
    maxPositions: 4096,
  };
  await saveCheckpoint(dir, {
    config,
    parametersP: initializeParameters(config, createRandom(1)),
    textFiles: {
      'tokenizer.json': JSON.stringify(tokenizerJson),
      'tokenizer_config.json': JSON.stringify(tokenizerConfig),
      'generation_config.json': JSON.stringify(generationConfig),
    },
    optimizer: null,
  });
}

/** What a random walk is told, and the scaffold's own words. */
async function worldTexts(scaffold: Scaffold): Promise<string[]> {
  const suite = openPureEnvironment({ ...BABYAI_TEXT_DEFAULTS, maxTurns: TURNS });
  const random = createRandom(2);
  const texts: string[] = [];
  for (let group = 0; group < EPISODES; group++) {
    const episode = await suite.environment.start(suite.trainTask({ runSeed: 2, step: 0, group }));
    let observation = episode.observe();
    const view = { goal: episode.goal, past: [], observation, strategy: null, memory: null };
    texts.push(...scaffold.prompt(view).map(({ content }) => content));
    for (let turn = 0; turn < TURNS; turn++) {
      const result = await episode.step(random.pick(ACTIONS));
      observation = result.observation;
      texts.push(observation.text);
      if (result.done) break;
    }
  }
  return texts;
}
