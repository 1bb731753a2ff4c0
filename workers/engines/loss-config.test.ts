import { describe, expect, it } from 'vitest';
import type { LossFn, LossFnConfig } from '@/contract/engine';
import { checkLossConfig } from './loss-config';

describe('the settings of a loss', () => {
  it.each<[LossFn, LossFnConfig]>([
    ['cross_entropy', {}],
    ['importance_sampling', { entropyCoef: 0.1, klCoef: undefined }],
    ['ppo', { clipLowThreshold: 0, clipHighThreshold: 4, dualClip: 3 }],
    ['cispo', { clipLowThreshold: 0, clipHighThreshold: 5, klCoef: 0 }],
    ['gspo', { clipLowThreshold: 0.9997, clipHighThreshold: 1.0004, entropyCoef: 0 }],
  ])('of %s may be %j', (lossFn, config) => {
    expect(() => checkLossConfig(lossFn, config)).not.toThrow();
  });

  it.each<[LossFn, object, string]>([
    ['cross_entropy', { klCoef: 1 }, 'klCoef is no setting of cross_entropy, which takes none'],
    [
      'importance_sampling',
      { clipHighThreshold: 2 },
      'clipHighThreshold is no setting of importance_sampling, which takes entropyCoef, klCoef',
    ],
    ['gspo', { dualClip: 3 }, 'dualClip is no setting of gspo'],
    ['ppo', { clip: 0.2 }, 'clip is no setting of ppo, which takes clipLowThreshold, clipHighThreshold,'],
    ['ppo', { entropyCoef: -1 }, 'entropyCoef must be a number of at least 0, got -1'],
    [
      'ppo',
      { clipHighThreshold: Infinity },
      'clipHighThreshold must be a number of at least 0, got Infinity',
    ],
    ['cispo', { clipLowThreshold: 2 }, 'clipLowThreshold must not exceed the upper bound 1.2, got 2'],
    ['ppo', { dualClip: 1 }, 'dualClip must be above 1 and the lower bound 0.8, got 1'],
    [
      'ppo',
      { clipLowThreshold: 3, clipHighThreshold: 5, dualClip: 2 },
      'dualClip must be above 1 and the lower bound 3, got 2',
    ],
  ])('of %s may not be %j', (lossFn, config, message) => {
    expect(() => checkLossConfig(lossFn, config)).toThrow(message);
  });
});
