import type { Turn } from '@/contract/trajectory';
import type { TurnMark } from '@/stats/turn-marks';
import { formatCount, formatReward, MISSING } from '@/contract/format';
import { AvailableActions } from './available-actions';
import { Block } from './block';
import { LongText } from './long-text';
import { HEAT_SCALES, heatValues, type HeatMode } from './token-heat';
import { HeatScale, TokenText } from './token-text';
import { countedTokens } from './trajectory-numbers';
import { VerdictWords } from './verdict';

/** A turn in full: what was seen, what was written, the verdict on it, what was offered, what came of it. */
export function TurnDetail({
  turn,
  mark,
  answer,
  showList,
  heat,
  advantage,
}: {
  turn: Turn;
  mark: TurnMark;
  /** The environment's answer to the action; null where none was recorded. */
  answer: string | null;
  showList: boolean;
  /** What the reply’s tokens are shaded by. */
  heat: HeatMode;
  /** The trajectory’s. */
  advantage: number | null;
}) {
  return (
    <>
      <ObservationBlock turn={turn} />
      <ReplyBlock turn={turn} heat={heat} advantage={advantage} />
      <VerdictBlock turn={turn} mark={mark} />
      {showList ? (
        <Block label={availableLabel(turn)}>
          <AvailableActions turn={turn} />
        </Block>
      ) : null}
      <AnswerBlock answer={answer} />
      <MemoryBlock memory={turn.memory} />
    </>
  );
}

/** `Available actions, 12`; `n/a` where the environment lists none. */
export function availableLabel({ availableActions }: Pick<Turn, 'availableActions'>): string {
  return `Available actions, ${availableActions.length || MISSING}`;
}

export function ObservationBlock({ turn }: { turn: Turn }) {
  return (
    <Block label="Observation before the turn">
      <p className="font-mono text-mono break-words whitespace-pre-wrap text-ink-2">
        <LongText text={turn.observation} />
      </p>
    </Block>
  );
}

/** The reply, its tokens shaded by what was chosen and recorded. */
export function ReplyBlock({
  turn,
  heat,
  advantage,
}: {
  turn: Turn;
  heat: HeatMode;
  /** The trajectory’s. */
  advantage: number | null;
}) {
  const { tokens } = turn;
  const values = heatValues(turn, heat, advantage);
  const { name, notRecorded } = HEAT_SCALES[heat];
  return (
    <Block
      label={`Reply, ${formatCount(countedTokens(turn.replyTokens, turn))} tokens${values ? ` shaded by ${name}` : ''}`}
      aside={values ? <HeatScale mode={heat} /> : null}
    >
      {tokens && values ? (
        <TokenText tokens={tokens} mode={heat} values={values} />
      ) : (
        <ReplyText reply={turn.reply} />
      )}
      {values ? null : (
        <p className="mt-1 text-xs text-ink-3">
          {name}: Not recorded. {notRecorded}
        </p>
      )}
    </Block>
  );
}

export function ReplyText({ reply }: { reply: string }) {
  return (
    <p className="font-mono text-sm/5 break-words whitespace-pre-wrap">
      {reply === '' ? <span className="text-ink-3 italic">empty reply</span> : <LongText text={reply} />}
    </p>
  );
}

export function VerdictBlock({ turn, mark }: { turn: Turn; mark: TurnMark }) {
  return (
    <div className="flex items-center justify-between gap-2 border-b border-line px-2.5 py-1.5">
      <VerdictWords turn={turn} mark={mark} />
      <span className="text-sm whitespace-nowrap text-ink-3">reward {formatReward(turn.reward)}</span>
    </div>
  );
}

export function AnswerBlock({ answer }: { answer: string | null }) {
  return (
    <Block label="Environment answers">
      <p className="font-mono text-mono break-words whitespace-pre-wrap text-ink-2">
        {answer === null ? (
          <span className="text-ink-3 italic">not recorded</span>
        ) : (
          <LongText text={answer} />
        )}
      </p>
    </Block>
  );
}

/** The working memory as it stood after the turn; nothing where the scaffold keeps none. */
export function MemoryBlock({ memory }: { memory: string | null }) {
  return memory === null ? null : <WrittenBlock label="Memory after the turn" text={memory} />;
}

/** What the agent wrote before its first turn and kept in view; nothing where the scaffold asks for none. */
export function StrategyBlock({ strategy }: { strategy: string | null }) {
  return strategy === null ? null : (
    <WrittenBlock label="Strategy, written before the first turn" text={strategy} />
  );
}

function WrittenBlock({ label, text }: { label: string; text: string }) {
  return (
    <Block label={label}>
      <p className="font-mono text-mono break-words whitespace-pre-wrap text-ink-2">
        {text === '' ? <span className="text-ink-3 italic">empty</span> : <LongText text={text} />}
      </p>
    </Block>
  );
}
