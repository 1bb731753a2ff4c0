import type { ChatMessage } from '@/contract/engine';
import { JUDGE_PARTS } from '@/contract/recipes/judge-prompt';
import type { JudgeSettings } from '@/contract/recipes/turn-judge';
import type { PlayedTrajectory } from '@/contract/trajectory';
import { wordingOf, type WordingTexts } from '@/rl/scaffolds/template';

const TEXTS: WordingTexts<typeof JUDGE_PARTS> = {
  system: `You judge single turns of an agent that acts in a text world. You are given the agent's goal, its whole trajectory, and the number of one turn. Judge that turn alone: whether what the agent thought about the world and its tools was true, whether its plan led towards the goal, and whether its action was right given what it could know then. What came later may show you what was true; do not blame the turn for what other turns did.

Answer with your reasons in a few sentences, and then with one line of JSON, {"score": x}, where x is a number from -1 (wrong) over 0 (neither helped nor harmed) to 1 (right).`,
  prompt: 'Goal: {goal}\n\n{turns}\n\n{outcome}\n\nJudge turn {turn_number}:\n{turn}',
  turn: 'Turn {number}\nSeen:\n{observation}\nReply:\n{reply}\nAction: {action}',
  won: 'Then:\n{observation}\nThe goal was reached.',
  lost: 'Then:\n{observation}\nThe goal was not reached.',
};

/** Writes what a judge is asked of a turn, numbered from 1; throws `invalid_input` where the template is not valid. */
export type JudgePrompt = (trajectory: PlayedTrajectory, turn: number) => ChatMessage[];

export function judgePrompt(template: JudgeSettings['template']): JudgePrompt {
  const wording = wordingOf(JUDGE_PARTS, TEXTS, template);
  return ({ goal, turns, success, finalObservation }, turn) => {
    const written = turns.map(({ observation, reply, action }, index) =>
      wording.turn({ number: index + 1, observation, reply, action }),
    );
    const outcome = success ? wording.won : wording.lost;
    const content = wording.prompt({
      goal,
      turns: written.join('\n\n'),
      outcome: outcome({ observation: finalObservation ?? '' }),
      turn_number: turn + 1,
      turn: written[turn] ?? '',
    });
    return [
      { role: 'system', content: wording.system({}) },
      { role: 'user', content },
    ];
  };
}

const SCORE = /"score"\s*:\s*([^\s,}]+)/g;

/** The one score in an answer; null where there is none, several, or one outside [-1, 1]: none is made up. */
export function readScore(answer: string): number | null {
  const [found, ...more] = answer.matchAll(SCORE);
  const text = found?.[1];
  if (text === undefined || more.length > 0 || !/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return null;
  const score = Number(text);
  return score >= -1 && score <= 1 ? score : null;
}
