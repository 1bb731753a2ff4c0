import type { RunDetail } from '@/contract/api';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { changedSettings, configLeaves, formatLeaf, inOrderOf } from './config-rows';
import { recipeOf } from './run-config-of';

/** The resolved config as it was launched, with what departs from its preset. */
export function RunConfig({ detail }: { detail: RunDetail }) {
  const preset = recipeOf(detail.run.recipe)?.presets[detail.run.preset];
  const changes = preset ? changedSettings(preset, detail.config) : [];
  const changed = new Map(changes.map((change) => [change.key, change]));
  return (
    <Panel>
      <PanelHead
        title="Config"
        caption={
          preset
            ? `${changes.length} of ${configLeaves(detail.config).length} keys differ from preset ${detail.run.preset}`
            : `preset ${detail.run.preset} is not known to this version; shown as stored`
        }
      />
      <Table>
        <thead>
          <tr>
            <HeadCell>Key</HeadCell>
            <HeadCell>Value</HeadCell>
            <HeadCell>Preset</HeadCell>
            <HeadCell>Type</HeadCell>
          </tr>
        </thead>
        <tbody className="font-mono text-mono">
          {inOrderOf(configLeaves(detail.config), preset).map(({ key, value }) => {
            const change = changed.get(key);
            return (
              <Row key={key}>
                <Cell>{key}</Cell>
                <Cell className={change ? 'text-b' : undefined}>{formatLeaf(value)}</Cell>
                <Cell className="text-a">{change ? formatLeaf(change.before) : ''}</Cell>
                <Cell className="text-ink-3">{Array.isArray(value) ? 'list' : typeof value}</Cell>
              </Row>
            );
          })}
        </tbody>
      </Table>
    </Panel>
  );
}
