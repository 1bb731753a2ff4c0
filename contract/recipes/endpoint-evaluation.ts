import { z } from 'zod';
import { EndpointSettings } from '../endpoint';
import { checkRunSettings, EngineSettings, RUN_SHAPE } from './run-settings';

/** Every setting of an evaluation of a model behind an API. Descriptions are the form's texts. */
export const EndpointEvaluationConfig = z
  .strictObject({
    ...RUN_SHAPE,
    steps: z.int().min(1).max(1).describe('Nothing is trained: one step holds the evaluation'),
    engine: z.strictObject({ ...EngineSettings.shape, kind: z.literal('none') }),
    endpoint: EndpointSettings.describe('The model that is evaluated'),
    reasoningReplay: z
      .boolean()
      .describe('Whether the model is given back its thinking of earlier turns, where the chat holds them'),
  })
  .superRefine(checkRunSettings)
  .superRefine(({ endpoint, evaluation, probe, rules }, context) => {
    if (endpoint.prices !== null)
      context.addIssue({
        code: 'custom',
        path: ['endpoint', 'prices'],
        message: 'expected none: the tokens of this run are priced by cost',
      });
    if (evaluation.topK !== 0)
      context.addIssue({
        code: 'custom',
        path: ['evaluation', 'topK'],
        message: `expected 0, for chat completions know no top-k, got ${evaluation.topK}`,
      });
    if (evaluation.controls)
      context.addIssue({
        code: 'custom',
        path: ['evaluation', 'controls'],
        message: 'expected false, for this recipe plays the model alone, got true',
      });
    if (probe.tasks !== 0)
      context.addIssue({
        code: 'custom',
        path: ['probe', 'tasks'],
        message: `expected 0, for this recipe plays no probe, got ${probe.tasks}`,
      });
    if (rules !== null)
      context.addIssue({
        code: 'custom',
        path: ['rules'],
        message: 'expected none: rules are looked at after a training step, and nothing is trained',
      });
  });
export type EndpointEvaluationConfig = z.infer<typeof EndpointEvaluationConfig>;
