import { Panel, PanelHead } from '@/components/ui/panel';
import { Kbd } from '@/components/ui/kbd';
import { HEAT_MODES, HEAT_SCALES, readHeat, type HeatMode } from './token-heat';
import { HeatScale } from './token-text';

/** What the tokens of replies are shaded by, with the scale's bins. */
export function HeatPicker({ mode, onMode }: { mode: HeatMode; onMode: (mode: HeatMode) => void }) {
  return (
    <Panel>
      <PanelHead title="Tokens shaded by">
        <Kbd>v</Kbd>
        <select
          aria-label="Tokens shaded by"
          value={mode}
          onChange={(event) => onMode(readHeat(event.target.value))}
          className="h-5.5 rounded-md border border-line-2 bg-surface px-1 text-xs"
        >
          {HEAT_MODES.map((option) => (
            <option key={option} value={option}>
              {HEAT_SCALES[option].name}
            </option>
          ))}
        </select>
      </PanelHead>
      <div className="px-2.5 py-1.5">
        <HeatScale mode={mode} />
      </div>
    </Panel>
  );
}
