import { expect, test, type Page } from '@playwright/test';

/** Fills the form with the preset `verify`, changed by setting path. */
async function fillForm(page: Page, name: string, settings: Record<string, string>): Promise<void> {
  await page.goto('/launch?preset=verify');
  await page.getByLabel('Name', { exact: true }).fill(name);
  for (const [path, value] of Object.entries(settings)) await page.locator(`[name="${path}"]`).fill(value);
}

async function runsCount(page: Page): Promise<number> {
  const response = await page.request.get('/api/v1/runs');
  return ((await response.json()) as unknown[]).length;
}

/** Prices for the run that the form is about to launch. */
async function fillPrices(page: Page): Promise<void> {
  await page.locator('[name="cost"]').selectOption('as below');
  await page.locator('[name="cost.currency"]').fill('USD');
  for (const kind of ['prefill', 'sample', 'train'])
    await page.locator(`[name="cost.${kind}PerMillion"]`).fill('0.25');
}

/** Points that the reward chart draws, as it says itself. */
async function rewardPoints(page: Page): Promise<number> {
  const label = await page.getByRole('img', { name: /^Reward by step/ }).getAttribute('aria-label');
  return Number(/(\d+) points/.exec(label ?? '')?.[1] ?? 0);
}

/**
 * The figures of a page, as text, without what tells the time; of a table that draws its rows near the window only, those
 * in it.
 */
async function figuresOf(page: Page): Promise<string[]> {
  const cells = await page
    .locator('table td, [role="img"][aria-label]')
    .evaluateAll((nodes) =>
      nodes
        .filter(
          (node) =>
            !node.closest('table[aria-rowcount]') ||
            node.getBoundingClientRect().bottom <= window.innerHeight,
        )
        .map((node) => node.getAttribute('aria-label') ?? node.textContent ?? ''),
    );
  return cells.filter((cell) => cell !== '' && !/ago|\d+:\d\d/.test(cell));
}

test('a form with a wrong value names the field and creates nothing', async ({ page }) => {
  const before = await runsCount(page);
  await fillForm(page, 'wrong', { 'rollout.groupSize': '1' });
  const field = page.locator('[name="rollout.groupSize"]');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: /^Launch/ })).toBeDisabled();
  await page.keyboard.press('Control+Enter');
  await page.reload();
  await expect(field).toHaveValue('1');
  expect(await runsCount(page)).toBe(before);
});

test('a run is launched and watched, and read from its curve to a trajectory and a pair', async ({
  page,
}) => {
  await fillForm(page, 'browser journey', { steps: '4', 'rollout.groups': '2' });
  await fillPrices(page);
  await expect(page.getByRole('region', { name: 'Tokens and cost, projected' })).toContainText('Cost, USD');
  await page.getByRole('button', { name: /^Launch/ }).click();
  await expect(page).toHaveURL(/\/runs\/r-\d+/);
  const runPath = new URL(page.url()).pathname;
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));

  // The curve grows in the same document.
  await expect.poll(() => rewardPoints(page), { timeout: 90_000 }).toBeGreaterThanOrEqual(1);
  const early = await rewardPoints(page);
  await expect.poll(() => rewardPoints(page), { timeout: 90_000 }).toBeGreaterThan(early);
  await expect(page.getByText('finished').first()).toBeVisible({ timeout: 120_000 });
  expect(await rewardPoints(page)).toBe(4);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

  // What it used, at the prices it was launched with.
  const bill = page.getByRole('region', { name: 'Tokens and cost', exact: true });
  for (const kind of ['Prefill', 'Sample', 'Train'])
    await expect(bill.getByRole('row', { name: new RegExp(`^${kind} \\d.* 0\\.25 `) })).toBeVisible();
  await expect(bill.getByRole('row', { name: /^Cost, USD \d/ })).toBeVisible();

  // From a point of the curve to a trajectory, by keyboard.
  await page.getByRole('region', { name: 'Reward' }).locator('.u-over').click();
  await expect(page.getByRole('group', { name: /^Step \d+/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trajectories\?step=/);
  await expect(page.locator('table td').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/[?&]row=/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trajectories\/\d+/);
  await expect(page.getByRole('heading', { name: 'Transcript' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page).toHaveURL(/t=end/);
  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/t=(2|end)/);

  // The same task at step 0 and step 4.
  await page.goto(`${runPath}/pair?a=0&b=4`);
  await expect(page.getByRole('region', { name: /Side A, step 0/ })).toBeVisible();
  await expect(page.getByRole('region', { name: /Side B, step 4/ })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Aligned turns' })).toBeVisible();

  // Every page shows the same figures when it is read again.
  for (const path of [runPath, `${runPath}?tab=evaluations`, `${runPath}/trajectories?step=4`, '/runs']) {
    await page.goto(path);
    await expect(page.locator('table td').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const before = await figuresOf(page);
    expect(before.length).toBeGreaterThan(3);
    await page.reload();
    await expect.poll(() => figuresOf(page)).toEqual(before);
  }
});

test('a run is stopped from its page and says so', async ({ page }) => {
  await fillForm(page, 'to be stopped', { steps: '500', 'evaluation.everySteps': '400' });
  await page.getByRole('button', { name: /^Launch/ }).click();
  await expect(page).toHaveURL(/\/runs\/r-\d+/);
  await expect.poll(() => rewardPoints(page), { timeout: 90_000 }).toBeGreaterThanOrEqual(1);
  await page.keyboard.press('Shift+S');
  await page.getByRole('button', { name: 'Stop the run' }).click();
  await expect(page.getByText('stopped').first()).toBeVisible({ timeout: 60_000 });
  await page.goto('/runs');
  await expect(page.getByRole('row', { name: /to be stopped/ })).toContainText('stopped');
});
