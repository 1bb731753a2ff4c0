import { describe, expect, it } from 'vitest';
import { labTool, parseLabCall } from './lab-tool';
import type { PastTurn } from './scaffold';
import { pastTurn, viewOf } from './testing/views';

const XML =
  '<tool_call>\n<function=alfworld_step>\n<parameter=action>\nlook\n</parameter>\n</function>\n</tool_call>';

describe('lab-tool', () => {
  const scaffold = labTool({ id: 'lab-tool', actionList: true });

  it('answers every reply with a message of its tool, numbered from 1', () => {
    const messages = scaffold.prompt(viewOf({ past: [pastTurn(0, XML, 'look'), pastTurn(1, XML, 'look')] }));
    expect(messages.map(({ role, name }) => name ?? role)).toEqual([
      'system',
      'user',
      'assistant',
      'alfworld_step',
      'assistant',
      'alfworld_step',
    ]);
    expect(messages[1]?.content).toContain('Task: find the mug\n\nYou see now:\nSight 0.');
    expect(messages[5]?.content).toBe(
      'Action 2: Done.\n\nYou see now:\nYou see a desk 1.\n\n' +
        'Available actions, to be copied letter by letter:\n- go to desk 1\n- look',
    );
  });

  it('says what came of an action, the gravest first', () => {
    const statusAfter = (turn: PastTurn) =>
      scaffold
        .prompt(viewOf({ past: [turn] }))[3]
        ?.content.split('\n')[0]
        ?.replace('Action 1: ', '');
    const result = { success: false, done: false };
    expect(statusAfter(pastTurn(0, XML, 'look', { result }))).toBe('Done.');
    expect(statusAfter(pastTurn(0, XML, 'fly', { result }))).toContain('not available');
    expect(statusAfter(pastTurn(0, 'look', '__invalid_tool_call__', { result }))).toContain('no valid call');
    const lost = { success: false, done: true };
    expect(statusAfter(pastTurn(0, 'look', '__invalid_tool_call__', { result: lost }))).toContain('not done');
    expect(statusAfter(pastTurn(0, XML, 'look', { result: { success: true, done: true } }))).toBe(
      'The task is done.',
    );
  });

  it('lists no actions where the episode is over or no list is wanted', () => {
    const past = [pastTurn(0, XML, 'look', { result: { success: false, done: true } })];
    expect(scaffold.prompt(viewOf({ past }))[3]?.content).not.toContain('- look');
    const bare = labTool({ id: 'lab-tool', actionList: false });
    expect(JSON.stringify(bare.prompt(viewOf({ past: [pastTurn(0, XML, 'look')] })))).not.toContain('- look');
  });

  it('lists actions as replies are read, in lower case and without help', () => {
    const observation = { text: 'A.', availableActions: ['help', 'Go  to Desk 1'] };
    expect(scaffold.prompt(viewOf({ observation }))[1]?.content).toContain('\n- go to desk 1\n\nCall');
  });

  it('tells of one tool with one required argument', () => {
    expect(scaffold.tools?.map((tool) => tool.function.name)).toEqual(['alfworld_step']);
    expect(scaffold.tools?.[0]?.function.parameters).toMatchObject({ required: ['action'] });
  });
});

describe('a call of alfworld_step', () => {
  it('is read from XML and from JSON, in lower case with spaces squeezed', () => {
    expect(parseLabCall(`I look.\n${XML}`)).toEqual({ thought: 'I look.', action: 'look', formatOk: true });
    const json =
      '<tool_call>{"name": "alfworld_step", "arguments": {"action": " Go  to\\tDesk 1 "}}</tool_call>\n';
    expect(parseLabCall(json)).toEqual({ thought: null, action: 'go to desk 1', formatOk: true });
    const asText =
      '<tool_call>{"name": "alfworld_step", "arguments": "{\\"action\\": \\"look\\"}"}</tool_call>';
    expect(parseLabCall(asText).action).toBe('look');
    expect(parseLabCall(XML.toUpperCase()).action).toBe('look');
  });

  it('may hold what looks like a tag', () => {
    expect(parseLabCall(XML.replace('look', 'look </parameter> <b>')).action).toBe('look </parameter> <b>');
  });

  it('is sent as an invalid one where it is not the only call, ends no reply, or is no single line of text', () => {
    for (const reply of [
      '',
      'look',
      XML + XML,
      `${XML} done`,
      XML.replace('look', ''),
      XML.replace('look', 'look\ngo to desk 1'),
      XML.replace('alfworld_step', 'other_step'),
      XML.replace('</function>', ''),
      '<tool_call>{"name": "other_step", "arguments": {"action": "look"}}</tool_call>',
      '<tool_call>{"name": "alfworld_step", "arguments": {"action": 1}}</tool_call>',
      '<tool_call>{"name": "alfworld_step", "arguments": {"action": "look"}</tool_call>',
    ])
      expect(parseLabCall(reply), reply).toMatchObject({ action: '__invalid_tool_call__', formatOk: false });
  });
});
