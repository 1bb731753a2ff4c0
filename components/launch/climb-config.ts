import { z } from 'zod';
import { formFields } from './form-fields';

/** An invented config for tests, with every shape that the form knows: variants, named texts, what may be empty. */
const Hill = z.strictObject({
  id: z.literal('hill'),
  height: z.int().min(1).max(50).describe('Metres'),
});
const Tower = z.strictObject({
  id: z.literal('tower'),
  height: z.int().min(1).max(100).describe('Metres'),
  signs: z.partialRecord(z.enum(['foot', 'top']), z.string().max(2000)).describe('Texts of the signs'),
  notes: z.record(z.string().max(20), z.string()).describe('Texts of any name'),
  words: z
    .strictObject({
      up: z.string().max(50).optional().describe('Said on the way up'),
      down: z.string().max(50).optional().describe('Said on the way down'),
    })
    .optional()
    .describe('Texts that replace the own ones'),
});
export const ClimbConfig = z.strictObject({
  place: z.discriminatedUnion('id', [Hill, Tower]),
  guide: z.string().max(50).nullable().describe('Who leads; none = alone'),
  pace: z.number().min(0).nullable().describe('Metres a minute'),
  weather: z.enum(['sun', 'rain']).nullable().describe('Weather to wait for'),
  log: z.string().max(5000).describe('What was written on the way'),
  nickname: z.string().optional().describe('Shown instead of the name'),
  offset: z.int().describe('Any whole number'),
  hut: z
    .strictObject({
      beds: z.int().min(1).describe('Beds'),
      fee: z.number().min(0).default(0).describe('A night'),
    })
    .nullable()
    .default(null)
    .describe('Where to sleep; none = back the same day'),
});

export const CLIMBS = {
  hill: { title: 'A hill', defaults: { id: 'hill', height: 10 } },
  tower: { title: 'A tower', defaults: { id: 'tower', height: 40, signs: {}, notes: {} } },
} as const;

export const CLIMB_FIELDS = formFields(ClimbConfig, { place: CLIMBS });

export const CLIMB_PRESET = {
  place: CLIMBS.hill.defaults,
  guide: null,
  pace: 3,
  weather: null,
  log: '',
  offset: -2,
  hut: null,
} satisfies z.infer<typeof ClimbConfig>;
