import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { storeRecordedPair } from './fixtures/store-recorded-pair';

const GRAVE = ['serious', 'critical'];

/** What axe finds serious or critical on the open page: rule, impact and the first element at fault. */
async function graveViolations(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact && GRAVE.includes(impact))
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html ?? 'no element'}`);
}

test('every screen is free of serious accessibility violations, light and dark', async ({
  page,
  baseURL,
  request,
}) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const run = `/runs/${await storeRecordedPair(baseURL, home, 'goTo')}`;
  const answer = await request.get(`/api/v1${run}/trajectories`);
  const { trajectories } = (await answer.json()) as { trajectories: { id: string; goal: string }[] };
  const [first] = trajectories;
  if (!first) throw new Error(`${run} has no trajectories`);
  const screens: [path: string, heading: string][] = [
    ['/runs', 'Runs'],
    ['/launch', 'Launch'],
    ['/compare', 'Compare'],
    ['/imports', 'Imports'],
    ['/config-diff?a=preset:grpo/demo&b=preset:grpo/verify', 'Config difference'],
    [run, 'recorded pair goTo'],
    [`${run}/trajectories`, 'Trajectories'],
    [`/trajectories/${first.id}`, first.goal],
    [`${run}/pair`, first.goal],
    [`${run}/probe`, 'Step 0 against step 120'],
    [`/pair?a=${first.id}`, 'Lay beside…'],
  ];
  for (const [path, heading] of screens) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(await graveViolations(new AxeBuilder({ page })), `${path}, light`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    // A theme changes colours alone.
    const contrast = new AxeBuilder({ page }).withRules(['color-contrast']);
    expect(await graveViolations(contrast), `${path}, dark`).toEqual([]);
  }
});
