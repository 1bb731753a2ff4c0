'use client';
import { useEffect, useRef, useState } from 'react';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReportBlock, ReportBlockKind } from '@/contract/report';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { emptyBlock, withMoved } from './block-list';
import { BlockFields } from './block-fields';
import { BLOCK_TITLES, BlockView } from './block-view';

interface ReportEditorProps {
  blocks: readonly ReportBlock[];
  onBlocks: (blocks: readonly ReportBlock[]) => void;
}

const KINDS = [
  'text',
  'evaluations',
  'chart',
  'compare',
  'pair',
] as const satisfies readonly ReportBlockKind[];

/** The blocks of a report, each with its fields above what it shows; at the end what can be added. */
export function ReportEditor({ blocks, onBlocks }: ReportEditorProps) {
  const [added, setAdded] = useState<string | null>(null);
  const [removed, setRemoved] = useState<{ block: ReportBlock; index: number } | null>(null);
  const add = (kind: ReportBlockKind) => {
    const block = emptyBlock(kind, blocks);
    setAdded(block.id);
    onBlocks([...blocks, block]);
  };
  const remove = (block: ReportBlock, index: number) => {
    setRemoved({ block, index });
    onBlocks(blocks.toSpliced(index, 1));
  };
  const isGone = removed !== null && !blocks.some(({ id }) => id === removed.block.id);
  return (
    <div className="flex flex-col gap-2.5">
      {blocks.map((block, index) => (
        <BlockEditor
          key={block.id}
          block={block}
          place={`${index + 1} of ${blocks.length}`}
          isNew={block.id === added}
          onBlock={(changed) => onBlocks(blocks.with(index, changed))}
          onMove={(by) => onBlocks(withMoved(blocks, index, by))}
          onRemove={() => remove(block, index)}
        />
      ))}
      {isGone && (
        <p className="flex items-center gap-2 text-sm text-ink-2" role="status">
          {BLOCK_TITLES[removed.block.kind]} removed.
          <Button size="small" onClick={() => onBlocks(blocks.toSpliced(removed.index, 0, removed.block))}>
            Put it back
          </Button>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2" role="group" aria-label="Add a block">
        {KINDS.map((kind) => (
          <Button key={kind} onClick={() => add(kind)}>
            <Icon of={Plus} size="small" /> {BLOCK_TITLES[kind]}
          </Button>
        ))}
      </div>
    </div>
  );
}

function BlockEditor({
  block,
  place,
  isNew,
  onBlock,
  onMove,
  onRemove,
}: {
  block: ReportBlock;
  place: string;
  isNew: boolean;
  onBlock: (block: ReportBlock) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) host.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [isNew]);
  const title = BLOCK_TITLES[block.kind];
  return (
    <Panel aria-label={`${title}, block ${place}`}>
      <PanelHead title={title} caption={`block ${place}`}>
        <IconButton label={`Move ${title} up`} onClick={() => onMove(-1)}>
          <Icon of={ArrowUp} size="small" />
        </IconButton>
        <IconButton label={`Move ${title} down`} onClick={() => onMove(1)}>
          <Icon of={ArrowDown} size="small" />
        </IconButton>
        <IconButton label={`Remove ${title}`} onClick={onRemove}>
          <Icon of={Trash2} size="small" />
        </IconButton>
      </PanelHead>
      <PanelBody className="flex flex-col gap-2.5">
        <div ref={host}>
          <BlockFields block={block} onBlock={onBlock} />
        </div>
        <BlockView block={block} />
      </PanelBody>
    </Panel>
  );
}
