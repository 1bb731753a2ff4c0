import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GpuReader, parseGpus } from './nvidia-smi';

const T4S = `0, Tesla T4, 15360, 2, 0, 7.5, 535.104.05, [N/A]
1, Tesla T4, 15360, 14613, 97, 7.5, 535.104.05, [N/A]
2, Tesla T4, 15360, 14601, 100, 7.5, 535.104.05, [N/A]
3, Tesla T4, 15360, 2, 0, 7.5, 535.104.05, [N/A]
`;
const A100 = '0, NVIDIA A100-SXM4-80GB, 81920, 61234, 88, 8.0, 550.54.15, Disabled\n';
/** A card that is cut into instances tells no utilisation, and its memory to administrators alone. */
const A100_MIG = `0, NVIDIA A100-SXM4-80GB, 81920, 36537, [N/A], 8.0, 535.86.10, Enabled
1, NVIDIA A100-SXM4-80GB, 81920, [Insufficient Permissions], [N/A], 8.0, 535.86.10, Enabled
`;
const H200 = '0, NVIDIA H200, 143771, 1, 0, 9.0, 570.133.20, Disabled\n';
/** Its memory is the machine's. */
const GB10 = '0, NVIDIA GB10, [Not Supported], [Not Supported], 4, 12.1, 580.95.05, [Not Supported]\n';

describe('the output of nvidia-smi', () => {
  it('of a machine with four T4 gives four cards in MiB and percent', () => {
    const gpus = parseGpus(T4S);
    expect(gpus).toHaveLength(4);
    expect(gpus[1]).toEqual({
      index: 1,
      name: 'Tesla T4',
      memoryTotalMib: 15_360,
      memoryUsedMib: 14_613,
      utilizationPercent: 97,
      computeCapability: '7.5',
      driver: '535.104.05',
      mig: false,
    });
    expect(gpus.map(({ utilizationPercent }) => utilizationPercent)).toEqual([0, 97, 100, 0]);
  });

  it.each([
    ['A100', A100, { name: 'NVIDIA A100-SXM4-80GB', memoryTotalMib: 81_920, computeCapability: '8.0' }],
    ['H200', H200, { name: 'NVIDIA H200', memoryTotalMib: 143_771, computeCapability: '9.0', mig: false }],
  ])('of a machine with one %s gives that card', (_, output, card) => {
    expect(parseGpus(output)).toMatchObject([card]);
  });

  it('of cards that are cut into instances marks them, and does not make 0 of what is not told', () => {
    expect(parseGpus(A100_MIG)).toMatchObject([
      { mig: true, memoryUsedMib: 36_537, utilizationPercent: null },
      { mig: true, memoryUsedMib: null, utilizationPercent: null },
    ]);
  });

  it('of a card without memory of its own has none', () => {
    expect(parseGpus(GB10)).toMatchObject([
      { memoryTotalMib: null, memoryUsedMib: null, utilizationPercent: 4, mig: false },
    ]);
  });

  it('keeps a name with a comma whole', () => {
    expect(parseGpus('0, Card, rev. B, 100, 1, 0, 8.6, 550.1, Disabled')[0]?.name).toBe('Card, rev. B');
  });

  it.each(['No devices were found', '0, Tesla T4, 15360', 'x, Tesla T4, 1, 1, 1, 7.5, 535, [N/A]'])(
    'of another form is named: %s',
    (row) => {
      expect(() => parseGpus(row)).toThrow(
        `nvidia-smi answered ${JSON.stringify(row)}, expected index, name`,
      );
    },
  );
});

describe('a reading', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'stepscope-smi-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function script(name: string, body: string): string {
    const path = join(dir, name);
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it('asks for the columns that are read', async () => {
    const path = join(dir, 'arguments');
    const card = '0, NVIDIA H200, 143771, 1, 0, 9.0, 570.133.20, Disabled';
    const { gpus } = await new GpuReader(script('card', `echo "$@" > ${path}; echo '${card}'`)).read();
    expect(gpus).toHaveLength(1);
    expect(readFileSync(path, 'utf8').trim()).toBe(
      '--query-gpu=index,name,memory.total,memory.used,utilization.gpu,compute_cap,driver_version,mig.mode.current --format=csv,noheader,nounits',
    );
  });

  it('says that the program is not there', async () => {
    expect(await new GpuReader(join(dir, 'absent')).read()).toEqual({
      gpus: [],
      problem: 'nvidia-smi is not installed',
    });
  });

  it.each([
    [
      'failed',
      'echo "NVIDIA-SMI has failed because it couldn\'t communicate with the NVIDIA driver."; exit 9',
      "nvidia-smi ended with exit code 9: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
    ],
    ['silent', 'exit 6', 'nvidia-smi ended with exit code 6'],
    ['empty', 'true', 'nvidia-smi lists no card'],
  ])('says what a %s program said', async (name, body, problem) => {
    expect(await new GpuReader(script(name, body)).read()).toEqual({ gpus: [], problem });
  });

  it('gives up on a program that hangs, and starts no other beside one that cannot be killed', async () => {
    const hanging = new GpuReader(script('hanging', 'sleep 2 & wait'), 50);
    expect((await hanging.read()).problem).toBe('nvidia-smi did not answer within 0.05 s');
    // The sleeper holds the output open, as a driver does.
    expect((await hanging.read()).problem).toBe('nvidia-smi was asked earlier and has not ended since');
  });
});
