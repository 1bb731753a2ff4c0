import type { RunDetail } from '@/contract/api';
import { REQUESTED_PRESET } from '@/contract/recipes/requested';
import { RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { ButtonLink } from '@/components/ui/button';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { changedSettings, configLeaves, formatLeaf, inOrderOf } from './config-rows';

/** The resolved config as it was launched, with what departs from its preset. */
export function RunConfig({ detail }: { detail: RunDetail }) {
  const recipe = Object.values<RecipeEntry>(RECIPES).find(({ id }) => id === detail.run.recipe);
  const preset = recipe?.presets[detail.run.preset];
  const changes = preset ? changedSettings(preset, detail.config) : [];
  const changed = new Map(changes.map((change) => [change.key, change]));
  return (
    <Panel>
      <PanelHead
        title="Config"
        caption={
          preset
            ? `${changes.length} of ${configLeaves(detail.config).length} keys differ from preset ${detail.run.preset}`
            : detail.run.preset === REQUESTED_PRESET
              ? 'as it was asked for: this recipe has no presets'
              : `preset ${detail.run.preset} is not known to this version; shown as stored`
        }
      >
        <ButtonLink href={`/config-diff?b=${encodeURIComponent(detail.run.id)}`} size="small">
          Difference to another config
        </ButtonLink>
      </PanelHead>
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
