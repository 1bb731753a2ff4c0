'use client';
import { useState } from 'react';
import type { PlayCommand, PlayMoment } from '@/contract/play';
import { Button } from '@/components/ui/button';
import { Field, TextArea, TextInput } from '@/components/ui/field';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';

/** Actions that a digit chooses. */
const KEYED_ACTIONS = 9;
const SEVERAL_TURNS = 5;

interface ControlsProps {
  moment: PlayMoment;
  /** A command may be given now. */
  isOpen: boolean;
  give: (command: PlayCommand) => void;
}

/** A turn of one's own, from the list or in words, or the model's. */
export function TaskControls({ moment, isOpen, give }: ControlsProps) {
  const [action, setAction] = useState('');
  const [thought, setThought] = useState('');
  const act = (text: string) => {
    if (!isOpen || text.trim() === '') return;
    give({ kind: 'act', action: text, thought });
    setAction('');
    setThought('');
  };
  const letModelAct = (turns: number) => isOpen && give({ kind: 'let-model-act', turns });
  useKeys([
    { keys: ['m'], label: 'let the model act', hint: true, run: () => letModelAct(1) },
    { keys: ['M'], label: `let it take ${SEVERAL_TURNS} turns`, run: () => letModelAct(SEVERAL_TURNS) },
    ...moment.availableActions.slice(0, KEYED_ACTIONS).map((offered, index) => ({
      keys: [String(index + 1)],
      label: offered,
      run: () => act(offered),
    })),
  ]);
  return (
    <Panel aria-label="Your turn">
      <PanelHead title="Your turn" caption={`${moment.availableActions.length || 'no'} actions offered`} />
      <PanelBody className="flex flex-col gap-2.5">
        <div className="flex flex-wrap gap-1.5">
          {moment.availableActions.map((offered, index) => (
            <Button key={`${index} ${offered}`} size="small" disabled={!isOpen} onClick={() => act(offered)}>
              {index < KEYED_ACTIONS && <Kbd>{String(index + 1)}</Kbd>} {offered}
            </Button>
          ))}
        </div>
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            act(action);
          }}
        >
          <Field label="Thought, for the turn that you take">
            {(control) => <TextArea {...control} value={thought} onValue={setThought} />}
          </Field>
          <Field label="Action in words">
            {(control) => <TextInput {...control} value={action} onValue={setAction} />}
          </Field>
          <div className="flex flex-wrap gap-1.5">
            <Button type="submit" disabled={!isOpen || action.trim() === ''}>
              Take the turn
            </Button>
            <Button variant="primary" disabled={!isOpen} onClick={() => letModelAct(1)}>
              Let the model act <Kbd>m</Kbd>
            </Button>
            <Button disabled={!isOpen} onClick={() => letModelAct(SEVERAL_TURNS)}>
              {SEVERAL_TURNS} turns
            </Button>
          </div>
        </form>
      </PanelBody>
    </Panel>
  );
}

/** What the model is shown next. */
export function PasteControls({ isOpen, give }: Omit<ControlsProps, 'moment'>) {
  const [observation, setObservation] = useState('');
  const [actions, setActions] = useState('');
  return (
    <Panel aria-label="Next observation">
      <PanelHead title="Next observation" />
      <PanelBody>
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const availableActions = actions.split('\n').flatMap((line) => line.trim() || []);
            give({ kind: 'show', observation, availableActions });
            setObservation('');
          }}
        >
          <Field label="Observation">
            {(control) => <TextArea {...control} value={observation} onValue={setObservation} />}
          </Field>
          <Field label="Available actions" description="One a line; kept for the next observation">
            {(control) => <TextArea {...control} value={actions} onValue={setActions} />}
          </Field>
          <div>
            <Button type="submit" variant="primary" disabled={!isOpen || observation === ''}>
              Show it to the model
            </Button>
          </div>
        </form>
      </PanelBody>
    </Panel>
  );
}
