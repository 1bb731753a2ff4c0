'use client';
import { useRef } from 'react';
import { Link } from '@/components/ui/link';
import { useUpload } from '@/components/data/import-queries';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';

/** Sends one file to be imported and says what came of it. */
export function UploadFile() {
  const upload = useUpload();
  const input = useRef<HTMLInputElement>(null);
  useKeys([{ keys: ['u'], label: 'import a file', hint: true, run: () => input.current?.click() }]);
  return (
    <>
      <span role="status" className="text-sm text-ink-2">
        <Outcome upload={upload} />
      </span>
      <input
        ref={input}
        type="file"
        aria-label="File to import"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) upload.mutate(file);
          event.target.value = '';
        }}
      />
      <Button variant="primary" disabled={upload.isPending} onClick={() => input.current?.click()}>
        Import a file… <Kbd>u</Kbd>
      </Button>
    </>
  );
}

function Outcome({ upload }: { upload: ReturnType<typeof useUpload> }) {
  if (upload.isPending) return `Reading ${upload.variables.name}`;
  if (upload.error) return `Not imported: ${upload.error.message}`;
  if (!upload.data) return null;
  const { state, runId, refusal } = upload.data;
  if (runId === null) return `Refused: ${refusal?.message ?? 'no reason was given'}`;
  return (
    <>
      {state === 'already' ? 'Imported before: ' : 'Imported: '}
      <Link href={`/runs/${encodeURIComponent(runId)}`} className="text-link">
        {runId}
      </Link>
    </>
  );
}
