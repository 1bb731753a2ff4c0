import { expect, test } from '@playwright/test';
import { storeRecordedPair } from './fixtures/store-recorded-pair';

test('a run, its trajectories and a transcript are there before any script runs, in the theme that was chosen', async ({
  browser,
  baseURL,
  request,
}) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const run = `/runs/${await storeRecordedPair(baseURL, home, 'unlock')}`;
  const answer = await request.get(`/api/v1${run}/trajectories`);
  const { trajectories } = (await answer.json()) as { trajectories: { id: string; goal: string }[] };
  const [first] = trajectories;
  if (!first) throw new Error(`${run} has no trajectories`);

  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  await context.addCookies([{ name: 'stepscope-theme', value: 'dark', url: baseURL }]);
  const page = await context.newPage();
  await page.goto('/runs');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator(`a[href="${run}"]`).first()).toBeVisible();
  await page.goto(run);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('recorded pair');
  await expect(
    page
      .getByRole('img', { name: /^Success/ })
      .locator('path')
      .first(),
  ).toBeVisible();
  await page.goto(`${run}/trajectories`);
  await expect(page.locator(`a[href="/trajectories/${first.id}"]`).first()).toBeVisible();
  await page.goto(`/trajectories/${first.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(first.goal);
  await expect(page.getByRole('heading', { name: 'Observation before the turn' })).toBeVisible();
  await page.goto('/runs/r-none');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('r-none');
  await context.close();
  expect((await request.get('/runs/%E0%A4%A')).status()).toBe(422);
  expect((await request.get('/runs/%E0%A4%A4')).status()).toBe(200);
});
