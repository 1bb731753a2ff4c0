import { Bot, User } from 'lucide-react';
import type { PlayMoment } from '@/contract/play';
import { formatReward } from '@/contract/format';
import { Icon } from '@/components/ui/icon';
import { Panel, PanelHead } from '@/components/ui/panel';
import { PlainText } from '@/components/trajectory/plain-text';
import { takenTurns, type TakenTurn } from './play-turns';

/** The turns so far, oldest first: who took each, what was said and what came of it. */
export function PlayTranscript({ moments }: { moments: readonly PlayMoment[] }) {
  const turns = takenTurns(moments);
  return (
    <Panel aria-label="Turns">
      <PanelHead title="Turns" caption={turns.length === 0 ? 'none yet' : String(turns.length)} />
      <ol>
        {turns.map((taken) => (
          <TakenTurnRow key={taken.turn.index} taken={taken} />
        ))}
      </ol>
    </Panel>
  );
}

function TakenTurnRow({ taken: { turn, answer } }: { taken: TakenTurn }) {
  const { by, index, observation, reply, action, valid, formatOk, reward, replyTokens } = turn;
  return (
    <li className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-2 border-b border-line px-2.5 py-1.75 last:border-b-0">
      <span className="flex items-start gap-1.5 text-xs text-ink-3">
        <Icon of={by === 'person' ? User : Bot} size="small" className="mt-0.5" />
        {index + 1}, {by === 'person' ? 'you' : 'model'}
      </span>
      <div className="flex min-w-0 flex-col gap-1 font-mono text-mono break-words whitespace-pre-wrap">
        <p className="text-ink-2">
          <PlainText text={observation} />
        </p>
        <p>
          {reply === '' ? <span className="text-ink-3 italic">empty reply</span> : <PlainText text={reply} />}
        </p>
        {answer !== null && (
          <p className="text-ink-2">
            <span aria-label="answered">→ </span>
            <PlainText text={answer} />
          </p>
        )}
        <p className="font-sans text-xs text-ink-3">
          action {action === '' ? 'none read' : `“${action}”`}
          {!formatOk && ', format broken'}
          {!valid && ', refused'}, reward {formatReward(reward)}, {replyTokens} tokens
        </p>
      </div>
    </li>
  );
}
