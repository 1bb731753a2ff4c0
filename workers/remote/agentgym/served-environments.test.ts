import { describe, expect, it } from 'vitest';
import { AgentGymClient } from './client';
import { ServedEnvironments } from './served-environments';

/** A server that gives the ids it is told to give and closes environments or has no route for that. */
class ScriptedClient extends AgentGymClient {
  readonly closed: number[] = [];

  constructor(
    private readonly ids: number[],
    private readonly closes: boolean,
  ) {
    super({ address: 'http://scripted', timeoutS: 1 });
  }

  override create(): Promise<number> {
    const id = this.ids.shift();
    if (id === undefined) throw new Error('the script has no further id');
    return Promise.resolve(id);
  }

  override close(id: number): Promise<boolean> {
    this.closed.push(id);
    return Promise.resolve(this.closes);
  }
}

describe('the environments held on a server', () => {
  it('are new for every episode where the server closes them', async () => {
    const client = new ScriptedClient([0, 1], true);
    const environments = new ServedEnvironments(client);
    await environments.giveBack(await environments.take());
    expect(await environments.take()).toMatchObject({ id: 1, used: false });
    expect(client.closed).toEqual([0]);
  });

  it('serve the next episode where the server keeps them', async () => {
    const environments = new ServedEnvironments(new ScriptedClient([0, 1, 2], false));
    const first = await environments.take();
    const second = await environments.take();
    await environments.giveBack(first);
    expect(await environments.take()).toMatchObject({ id: 0, used: true });
    await environments.giveBack(second);
    environments.forgetIdle();
    expect(await environments.take()).toMatchObject({ id: 2, used: false });
  });

  it('are gone once an id comes again, whatever order the answers come in', async () => {
    const client = new ScriptedClient([1, 0, 2, 1, 0], false);
    const environments = new ServedEnvironments(client);
    const [before, idle, other] = [
      await environments.take(),
      await environments.take(),
      await environments.take(),
    ];
    await environments.giveBack(idle);
    expect((await environments.take()).id).toBe(0);
    for (const environment of [before, other]) environments.requireAlive(environment);
    await environments.giveBack(other);
    environments.forgetIdle();

    const after = await environments.take();
    expect(after.id).toBe(1);
    environments.requireAlive(after);
    expect(() => environments.requireAlive(before)).toThrow(
      "http://scripted was restarted: environment 1 is another episode's now",
    );
    await environments.giveBack(before);
    expect(client.closed).toEqual([0, 2]);
    expect(await environments.take()).toMatchObject({ id: 0, used: false });
  });
});
