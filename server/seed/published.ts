import path from 'node:path';
import { existsSync } from 'node:fs';
import { DEFAULT_OPTIONS } from '../importers/importer';
import { importSource, type ImportTarget } from '../importers/import-source';
import { openSource } from '../importers/source';

/** Each published run: its name on screens, the text that states it and which of the text's runs it is. */
const PUBLISHED_RUNS = [
  ['AgentGym-RL, BabyAI (published)', 'agentgym-rl-babyai.txt', 'run'],
  ['StraTA, ALFWorld, training curve (published)', 'strata-alfworld.txt', 'curve'],
  ['StraTA, ALFWorld, final evaluation (published)', 'strata-alfworld.txt', 'final'],
  ['agentic-rl-lab, ALFWorld (published)', 'agentic-rl-lab-alfworld.txt', 'run'],
  ['BabyAI-Text v1.1, GRPO (published)', 'babyai-text-rl-opd.txt', 'v1.1'],
  ['BabyAI-Text v1.2, balanced tasks (published)', 'babyai-text-rl-opd.txt', 'v1.2'],
  ['BabyAI-Text v2.2.1, judged turns, glm-5 (published)', 'babyai-text-rl-opd.txt', 'v2.2.1'],
  ['BabyAI-Text v2.2.2, judged turns, glm-5.1 (published)', 'babyai-text-rl-opd.txt', 'v2.2.2'],
  ['BabyAI-Text v3.1, teacher by SFT (published)', 'babyai-text-rl-opd.txt', 'v3.1-teacher'],
  ['BabyAI-Text v3.2, distillation (published)', 'babyai-text-rl-opd.txt', 'v3.2'],
] as const;

type Part = `${(typeof PUBLISHED_RUNS)[number][1]} ${(typeof PUBLISHED_RUNS)[number][2]}`;

/** Ids of the published runs by text and part, and what was left out because its text is not there. */
export interface SeededPublished {
  runs: Map<string, string>;
  missing: string[];
}

/** Imports the published runs from their texts in `folder`. Called again it finds them imported and stores nothing. */
export async function seedPublished(target: ImportTarget, folder: string): Promise<SeededPublished> {
  const runs = new Map<string, string>();
  const missing: string[] = [];
  for (const [name, file, part] of PUBLISHED_RUNS) {
    const named = path.join(folder, file);
    if (!existsSync(named)) {
      missing.push(`${name}: ${named} is not there`);
      continue;
    }
    // By the file's own name: the same text under another path is the same import.
    const source = { ...(await openSource(named)), path: `${file}, ${part}` };
    const outcome = await importSource(target, source, {
      ...DEFAULT_OPTIONS,
      name,
      part,
      format: 'published',
    });
    if (outcome.runId === null) missing.push(`${name}: ${outcome.refusal?.message ?? 'refused'}`);
    else runs.set(`${file} ${part}`, outcome.runId);
  }
  return { runs, missing };
}

/** What each comparison of published checkpoints must read, and the checkpoints. */
const HEADLINES: readonly { shows: string; checkpoints: readonly (readonly [Part, number])[] }[] = [
  {
    shows: 'AgentGym-RL 3/4 -> 1/4: "n = 4, not compared"',
    checkpoints: [
      ['agentgym-rl-babyai.txt run', 1],
      ['agentgym-rl-babyai.txt run', 31],
    ],
  },
  {
    shows: 'StraTA 0.71 -> 86.43: "higher"',
    checkpoints: [
      ['strata-alfworld.txt curve', 0],
      ['strata-alfworld.txt curve', 150],
    ],
  },
  {
    shows: 'agentic-rl-lab, seen and unseen disagree: "not distinguishable, unpaired"',
    checkpoints: [
      ['agentic-rl-lab-alfworld.txt run', 0],
      ['agentic-rl-lab-alfworld.txt run', 40],
      ['agentic-rl-lab-alfworld.txt run', 80],
    ],
  },
  {
    shows: 'BabyAI-Text .74 -> .78, n = 50: "not distinguishable, unpaired"',
    checkpoints: [
      ['babyai-text-rl-opd.txt v2.2.2', 820],
      ['babyai-text-rl-opd.txt v3.2', 510],
    ],
  },
];

/** Addresses of the published comparisons whose runs are there. */
export function headlineLinks({ runs }: SeededPublished): { address: string; shows: string }[] {
  return HEADLINES.flatMap(({ shows, checkpoints }) => {
    const names = checkpoints.map(([part, step]) => {
      const runId = runs.get(part);
      return runId === undefined ? null : `c=${encodeURIComponent(`${runId}@${step}`)}`;
    });
    return names.includes(null) ? [] : [{ address: `/compare?${names.join('&')}`, shows }];
  });
}
