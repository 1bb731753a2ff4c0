import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import type { RunEvent } from '@/contract/run-events';
import { storeRecordedPair } from './fixtures/store-recorded-pair';

const GRAVE = ['serious', 'critical'];

/** What axe finds serious or critical on the open page: rule, impact and the first element at fault. */
async function graveViolations(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact && GRAVE.includes(impact))
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html ?? 'no element'}`);
}

/** Replies that keep the format for ten steps and then break it, beside a success of 1 at every step: a warning and a notice. */
const COLLAPSE = Array.from({ length: 20 }, (_, index): RunEvent => {
  const points = [
    { name: 'rollout/format_rate', value: index < 10 ? 0.97 : 0.1 },
    { name: 'rollout/success_rate', value: 1 },
  ];
  return { kind: 'points:measured', step: index + 1, points };
});

/** What axe finds serious or critical in some parts of the open page, in either theme. */
async function expectPartsClean(page: Page, what: string, parts: readonly string[]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const builder = parts.reduce((each, part) => each.include(part), new AxeBuilder({ page }));
    expect(await graveViolations(builder), `${what}, ${colorScheme}`).toEqual([]);
  }
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

test('alerts, failures and the evaluate dialog are free of them too', async ({ page, baseURL }) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const run = `/runs/${await storeRecordedPair(baseURL, home, 'goTo', COLLAPSE)}`;
  // Its last step was won; what was lost is at the first.
  await page.goto(`${run}?failures=0/probe`);
  const detectors = page.getByLabel('Detectors');
  const acknowledge = detectors.getByRole('button', { name: /^Acknowledge/ });
  await expect(acknowledge.nth(1)).toBeVisible();
  await expect(page.getByLabel('Failures').getByRole('table')).toBeVisible();
  const panels = ['[aria-label=Detectors]', '[aria-label=Failures]'];
  await expectPartsClean(page, 'alerts and failures', panels);
  await acknowledge.first().click();
  await expect(detectors.getByRole('button', { name: /^Reopen/ })).toBeVisible();
  await expectPartsClean(page, 'an acknowledged alert', panels);

  await page.goto(`${run}?tab=checkpoints&evaluate=0`);
  await expect(page.getByRole('dialog', { name: /^Evaluate/ })).toBeVisible();
  await expectPartsClean(page, 'the evaluate dialog', ['[role=dialog]']);
});
