import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';

const GROUPS = [
  {
    title: 'Neutrals',
    caption: 'paper, faintly warm; text is ink, ink-2 or ink-3',
    tokens: [
      'bg',
      'surface',
      'surface-2',
      'hover',
      'selected',
      'line',
      'line-2',
      'ink',
      'ink-2',
      'ink-3',
      'focus',
    ],
  },
  {
    title: 'State and pair',
    caption: 'tints carry ink text only',
    tokens: ['ok', 'ok-bg', 'warn', 'warn-bg', 'bad', 'bad-bg', 'info', 'info-bg', 'a', 'a-bg', 'b', 'b-bg'],
  },
  {
    title: 'Categorical',
    caption: 'in this order, then dash, then marker; c0 is the baseline',
    tokens: ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'],
  },
  {
    title: 'Sequential and diverging',
    caption: 'surprise; advantage, its sign printed',
    tokens: ['s1', 's2', 's3', 's4', 's5', 's6', 'd-3', 'd-2', 'd-1', 'd0', 'd1', 'd2', 'd3'],
  },
  {
    title: 'Objects and grid',
    caption: 'BabyAI’s colours, named in the legend as well',
    tokens: [
      'o-red',
      'o-green',
      'o-blue',
      'o-purple',
      'o-yellow',
      'o-grey',
      'g-floor',
      'g-wall',
      'g-seen',
      'g-fog',
    ],
  },
] as const;

/** Every colour token in both themes side by side. */
export function ColorTokens() {
  return (
    <div className="grid grid-cols-1 gap-2.5 lg:grid-cols-2">
      {GROUPS.map((group) => (
        <Panel key={group.title}>
          <PanelHead title={group.title} caption={group.caption} />
          <PanelBody className="grid grid-cols-2 gap-2.5">
            {(['light', 'dark'] as const).map((theme) => (
              <ul
                key={theme}
                data-theme={theme}
                className="flex flex-col gap-1 bg-bg p-2 text-ink"
                aria-label={theme}
              >
                {group.tokens.map((token) => (
                  <li key={token} className="flex items-center gap-2">
                    <span
                      className="h-4 w-8 flex-none border border-line-2"
                      style={{ background: `var(--${token})` }}
                      aria-hidden
                    />
                    <code className="font-mono text-mono">{token}</code>
                  </li>
                ))}
              </ul>
            ))}
          </PanelBody>
        </Panel>
      ))}
    </div>
  );
}
