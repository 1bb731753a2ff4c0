'use client';
import { useState } from 'react';
import { Download } from 'lucide-react';
import { saveFile } from '@/components/export/save-file';
import { fileName } from '@/components/export/table-formats';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { PICTURE } from './chart-svg';

/** Device pixels of a PNG a pixel of the picture. */
const SHARPNESS = 2;

/** Saves a chart as SVG or PNG, as it is when one is chosen. */
export function ChartMenu({ title, svg }: { title: string; svg: () => string | null }) {
  const [open, setOpen] = useState(false);
  const save = async (extension: 'svg' | 'png') => {
    const drawn = svg();
    if (drawn === null) return;
    const picture = new Blob([drawn], { type: 'image/svg+xml' });
    saveFile(fileName(title, extension), extension === 'svg' ? picture : await toPng(picture));
  };
  return (
    <Menu
      label={`Export ${title} as`}
      open={open}
      onOpenChange={setOpen}
      items={[
        { title: 'SVG', onChoose: () => void save('svg') },
        { title: 'PNG', onChoose: () => void save('png') },
      ]}
      button={(trigger) => (
        <IconButton label={`Export ${title}`} className="size-5! bg-surface" {...trigger}>
          <Icon of={Download} size="small" />
        </IconButton>
      )}
    />
  );
}

/** The picture in pixels. Rejects where the browser cannot draw it. */
async function toPng(svg: Blob): Promise<Blob> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = PICTURE.width * SHARPNESS;
    canvas.height = PICTURE.height * SHARPNESS;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('the chart could not be drawn as PNG')))),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
