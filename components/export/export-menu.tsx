'use client';
import { useState } from 'react';
import { Download } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { Menu } from '@/components/ui/menu';
import { saveFile } from './save-file';
import {
  fileName,
  formatTable,
  TABLE_FILES,
  TABLE_FORMATS,
  TABLE_FORMAT_TITLES,
  type ExportTable,
} from './table-formats';

/**
 * Saves a table as LaTeX, Markdown, CSV or JSON. `table` is made when one is chosen, of what is then on screen.
 * `hasKey` binds ⇧E: for one table of a page.
 */
export function ExportMenu({ table, hasKey = false }: { table: () => ExportTable; hasKey?: boolean }) {
  const [open, setOpen] = useState(false);
  useKeys(hasKey ? [{ keys: ['E'], label: 'export', hint: true, run: () => setOpen(true) }] : []);
  return (
    <Menu
      label="Export as"
      open={open}
      onOpenChange={setOpen}
      items={TABLE_FORMATS.map((format) => ({
        title: TABLE_FORMAT_TITLES[format],
        onChoose: () => {
          const made = table();
          const { extension, type } = TABLE_FILES[format];
          saveFile(fileName(made.title, extension), new Blob([formatTable(made, format)], { type }));
        },
      }))}
      button={(trigger) => (
        <Button size={hasKey ? 'medium' : 'small'} {...trigger}>
          <Icon of={Download} size="small" /> Export {hasKey && <Kbd>⇧E</Kbd>}
        </Button>
      )}
    />
  );
}
