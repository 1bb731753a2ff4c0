import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { tinkerServer } from './env';
import { GpuReader } from './gpu/nvidia-smi';
import { Machine, type MachineSettings } from './machine';

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.close();
});

async function open(settings: Partial<MachineSettings>): Promise<Machine> {
  const machine = await Machine.open({
    server: null,
    command: null,
    gpuReader: new GpuReader('/absent/nvidia-smi'),
    say: () => undefined,
    ...settings,
  });
  machines.push(machine);
  return machine;
}

describe('a machine', () => {
  it('without cards, server and command says so in words', async () => {
    expect((await open({})).report).toEqual({
      gpus: [],
      gpuProblem: 'nvidia-smi is not installed',
      dtype: { dtype: 'float32', reason: 'there is no GPU, and processors compute in it' },
      cuda: { available: false, reason: 'no GPU was found: nvidia-smi is not installed' },
      tinker: null,
      engineCommand: null,
      endpointKeys: [],
    });
  });

  it('lists the models of its server, and says what became of a server that went away', async () => {
    const http = createServer((_, response) => {
      response.end(JSON.stringify({ supported_models: [{ model_name: 'Qwen/Qwen3-8B' }] }));
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const machine = await open({ server: tinkerServer({ STEPSCOPE_TINKER_URL: address }) });
    expect(machine.report?.tinker).toEqual({ address, models: ['Qwen/Qwen3-8B'], problem: null });
    http.close();
    http.closeAllConnections();
    let readings = 0;
    machine.onReading(() => readings++);
    await machine.refresh();
    expect(machine.report?.tinker?.models).toEqual([]);
    expect(machine.report?.tinker?.problem).toContain(address);
    expect(readings).toBe(1);
  });

  it('does not open with a command that asks for what it does not have', async () => {
    const server = tinkerServer({ STEPSCOPE_TINKER_URL: 'http://127.0.0.1:9' });
    const command = { argv: ['serve', '{model}'], readyMs: 1000, env: {}, secrets: [] };
    await expect(open({ server, command })).rejects.toThrow('STEPSCOPE_ENGINE_COMMAND has {model}');
  });
});
