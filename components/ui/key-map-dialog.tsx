'use client';
import { Dialog } from './dialog';
import { Kbd } from './kbd';
import { useBoundKeys, type KeyBinding } from './key-map';

const SYMBOLS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Shift: '⇧',
  Escape: 'Esc',
  Mod: '⌘/Ctrl',
};

/** One binding's keys as they are printed on the keyboard. */
export function KeyHint({ binding }: { binding: KeyBinding }) {
  return (
    <span className="inline-flex items-center gap-1.25">
      {binding.keys.map((keys) => (
        <span key={keys} className="inline-flex gap-0.75">
          {keys
            .split(/[ +]/)
            .filter(Boolean)
            .map((key, position) => (
              <Kbd key={position}>{SYMBOLS[key] ?? key}</Kbd>
            ))}
        </span>
      ))}
    </span>
  );
}

/** `?`: every key of the page that is open. */
export function KeyMapDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const bindings = useBoundKeys();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keys"
      description="Keys of this page. Single letters are off while typing."
    >
      <table className="mt-2 w-full text-sm">
        <tbody>
          {bindings.map((binding) => (
            <tr key={binding.keys.join() + binding.label} className="border-b border-line last:border-b-0">
              <td className="w-40 py-1">
                <KeyHint binding={binding} />
              </td>
              <td className="py-1 text-ink-2">{binding.label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
