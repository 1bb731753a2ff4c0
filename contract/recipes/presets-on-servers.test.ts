import { expect, it } from 'vitest';
import { RECIPES, type RecipeEntry } from './registry';

it('every preset of a server or an API says that it was not run here, and no other does', () => {
  for (const { id, presets, notRunHere } of Object.values<RecipeEntry>(RECIPES)) {
    const onServers = Object.entries(presets).filter(([, { engine }]) => engine.kind !== 'onnx');
    expect([id, ...notRunHere].sort()).toEqual([id, ...onServers.map(([name]) => name)].sort());
  }
});
