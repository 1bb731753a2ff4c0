import type { UrlChanges } from '@/components/data/url-state';
import { Field, TextInput } from '@/components/ui/field';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Segmented } from '@/components/ui/segmented';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { compareConfigs, differenceWords, type ComparedKey } from './config-difference';
import type { Leaf, Leaves } from './config-leaves';

/** A config with the words by which it is named. */
export interface NamedConfig {
  title: string;
  leaves: Leaves;
}

/** The keys of two configs, by default those that differ and are not ignored. */
export function ConfigDifferenceView({
  a,
  b,
  ignore,
  showsAll,
  text,
  onChange,
}: {
  a: NamedConfig;
  b: NamedConfig;
  /** Patterns with commas between. */
  ignore: string;
  showsAll: boolean;
  /** Part of the keys that are shown. */
  text: string;
  onChange: (changes: UrlChanges) => void;
}) {
  const patterns = ignore.split(',').filter((pattern) => pattern.trim() !== '');
  const difference = compareConfigs(a.leaves, b.leaves, patterns);
  const shown = difference.keys.filter(
    ({ key, differs, ignored }) =>
      (showsAll || (differs && !ignored)) && key.toLowerCase().includes(text.toLowerCase()),
  );
  return (
    <Panel>
      <PanelHead title={differenceWords(difference)} caption={`A: ${a.title}. B: ${b.title}`}>
        <Segmented
          label="Keys shown"
          value={showsAll ? 'all' : 'differing'}
          options={[
            { value: 'differing', title: 'Only differing' },
            { value: 'all', title: 'All' },
          ]}
          onChange={(value) => onChange({ show: value === 'all' ? 'all' : null })}
        />
      </PanelHead>
      <div className="grid grid-cols-1 gap-2.5 border-b border-line p-2.5 lg:grid-cols-[16rem_1fr]">
        <Field label="Keys with">
          {(control) => <TextInput {...control} value={text} onValue={(q) => onChange({ q })} />}
        </Field>
        <Field label="Ignored keys, * for any text, commas between">
          {(control) => (
            // A blank stands for no pattern: an empty parameter would be the default list.
            <TextInput
              {...control}
              value={ignore}
              onValue={(next) => onChange({ ignore: next === '' ? ' ' : next })}
            />
          )}
        </Field>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={text === '' ? 'No key differs.' : `No key with “${text}” is among them.`}>
          {difference.compared} keys are on at least one side.
        </EmptyState>
      ) : (
        <KeysTable keys={shown} />
      )}
    </Panel>
  );
}

function KeysTable({ keys }: { keys: readonly ComparedKey[] }) {
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>Key</HeadCell>
          <HeadCell>A</HeadCell>
          <HeadCell>B</HeadCell>
          <HeadCell>Type</HeadCell>
        </tr>
      </thead>
      <tbody className="font-mono text-mono">
        {keys.map(({ key, a, b, differs, ignored }) => (
          <Row key={key} className={ignored ? 'text-ink-3' : undefined}>
            <Cell className="break-all">
              {key}
              {ignored && <span className="font-sans text-xs"> ignored</span>}
            </Cell>
            <Cell className={differs && !ignored ? 'text-a' : undefined}>
              <Value leaf={a} />
            </Cell>
            <Cell className={differs && !ignored ? 'text-b' : undefined}>
              <Value leaf={b} />
            </Cell>
            <Cell className="text-ink-3">{typeWords(a, b)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** Text in quotation marks, so that "1" is not read as 1. */
function Value({ leaf }: { leaf: Leaf | null }) {
  if (leaf === null) return <span className="font-sans text-sm text-ink-3">absent</span>;
  return (
    <span className="break-all whitespace-pre-wrap">{leaf.type === 'text' ? leaf.canonical : leaf.text}</span>
  );
}

function typeWords(a: Leaf | null, b: Leaf | null): string {
  const types = [...new Set([a, b].flatMap((leaf) => (leaf === null ? [] : [leaf.type])))];
  return types.join(' | ');
}
