import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { seedDatabase, type PrintedLink } from './fixtures/seeded-links';

/** At which the trained runs are evaluated, probed and saved. */
const STEPS = [0, 2, 4];

let links: readonly PrintedLink[] = [];

test.beforeAll(async ({ baseURL }, info) => {
  // Two runs are trained first.
  info.setTimeout(900_000);
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  links = await seedDatabase(baseURL, home);
});

/** The printed address of what it shows. */
function linkTo(shows: string): string {
  const link = links.find((each) => each.shows.startsWith(shows));
  if (!link)
    throw new Error(`db:seed printed no link to "${shows}": ${links.map((each) => each.shows).join('; ')}`);
  return link.path;
}

test('every printed link leads to a screen that is filled', async ({ page }) => {
  expect(links.length).toBeGreaterThan(15);
  for (const { path, shows } of links) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), `${path}, ${shows}`).toBeVisible();
    await expect(page.locator('[data-state=loading]')).toHaveCount(0);
    await expect(page.getByText(/could not be (read|loaded)/), `${path}, ${shows}`).toHaveCount(0);
  }
});

test('the published headlines read as what their counts allow', async ({ page }) => {
  const comparisonOf = async (shows: string) => {
    await page.goto(linkTo(shows));
    return page.getByRole('main');
  };
  await expect(await comparisonOf('AgentGym-RL')).toContainText('n = 4, not compared');
  const strata = await comparisonOf('StraTA');
  await expect(strata).toContainText('+85.71 pp');
  await expect(strata).toContainText('higher');
  const lab = await comparisonOf('agentic-rl-lab');
  await expect(lab).toContainText('+5.97 pp');
  await expect(lab).toContainText('not distinguishable, unpaired');
  await expect(lab).toContainText('The splits disagree');
  const capable = await comparisonOf('BabyAI-Text');
  await expect(capable).toContainText('37/50 74.0');
  await expect(capable).toContainText('39/50 78.0');
  await expect(capable).toContainText('not distinguishable, unpaired');
});

test('from a point of a trained run’s curve to a trajectory, its pair, the next divergence by keyboard, and back', async ({
  page,
}) => {
  const run = linkTo('a run trained here');
  await page.goto(run);
  await expect(page.getByRole('img', { name: /^Success/ }).first()).toBeVisible();
  // From one evaluated step to the next.
  for (const step of STEPS) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('group', { name: `Step ${step}` })).toBeVisible();
  }
  await page
    .getByRole('group', { name: 'Step 4' })
    .getByRole('link', { name: /Open its trajectories/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`${run}/trajectories\\?.*step=4`));
  await page.getByLabel('Phase').selectOption('probe');
  await expect(page).toHaveURL(/phase=probe/);
  await expect(page.locator('table td').first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trajectories\/\d+/);
  await expect(page.getByRole('heading', { name: 'Transcript' })).toBeVisible();

  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/pair\?.*a=0&b=4/);
  const divergence = page.getByText(/First divergence at row \d+/);
  await expect(divergence).toBeVisible();
  const row = /row (\d+)/.exec((await divergence.textContent()) ?? '')?.[1] ?? '';
  const lanes = page.getByRole('group', { name: 'Aligned turns' });
  const current = lanes.getByRole('button', { name: new RegExp(`^Row ${row}(,|$)`) });
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  if (row !== '1') await page.keyboard.press(']');
  await expect(current).toHaveAttribute('aria-current', 'step');

  await page.goBack();
  await expect(page).toHaveURL(/\/trajectories\/\d+/);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${run}/trajectories`));
});

test('three checkpoints of a trained run are compared on both splits, and the table is exported as LaTeX', async ({
  page,
}) => {
  await page.goto(linkTo('three of its checkpoints'));
  const matrix = page.getByRole('region', { name: 'Checkpoints by splits' });
  const rows = matrix.locator('tbody');
  for (const step of STEPS)
    await expect(rows.getByRole('row', { name: new RegExp(`^Step ${step} `) })).toContainText(/\/60 .*\/30 /);
  await page.keyboard.press('E');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const latex = await readFile(await (await downloading).path(), 'utf8');
  expect(latex).toContain('\\begin{tabular}');
  for (const step of STEPS) expect(latex).toMatch(new RegExp(`Step ${step} & \\d+/60 .*& \\d+/30 `));
});

test('a checkpoint of a trained run is evaluated anew', async ({ page }) => {
  const run = linkTo('a run trained here');
  await page.goto(`${run}?tab=checkpoints`);
  const box = page.getByLabel('Choose the checkpoint of step 4');
  await box.click();
  await expect(box).toBeChecked();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: /^Evaluate / });
  await dialog.getByLabel('Tasks of valid_seen').fill('6');
  await dialog.getByLabel('Tasks of valid_unseen').fill('6');
  await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await expect(page.getByRole('heading', { name: /evaluation of / })).toBeVisible();
  await expect(page.getByText('finished').first()).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/of \d+ ended, \d+ of \d+ trajectories played/)).toBeVisible();
  await page.goto(`${run}?tab=checkpoints`);
  await expect(page.getByRole('link', { name: /evaluation of / })).toBeVisible();
});
