import { expect, test } from '@playwright/test';
import { storeRecordedPair } from './fixtures/store-recorded-pair';

test('from a point of a curve to its trajectory, the pair, its next divergence by keyboard, and back', async ({
  page,
  baseURL,
}) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const run = `/runs/${await storeRecordedPair(baseURL, home, 'unlock')}`;

  await page.goto(run);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('recorded pair');
  await expect(page.getByRole('img', { name: /^Success/ }).first()).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('group', { name: 'Step 0' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  const menu = page.getByRole('group', { name: 'Step 120' });
  await menu.getByRole('link', { name: /Open its trajectories/ }).click();
  await expect(page).toHaveURL(new RegExp(`${run}/trajectories\\?.*step=120`));

  await expect(page.locator('table td').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/[?&]row=/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trajectories\/\d+/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('open the door');
  await expect(page.getByRole('heading', { name: 'Transcript' })).toBeVisible();

  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/pair\?/);
  const lanes = page.getByRole('group', { name: 'Aligned turns' });
  const currentRow = (row: number) => lanes.getByRole('button', { name: new RegExp(`^Row ${row}(,|$)`) });
  await expect(currentRow(3)).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press('Home');
  await expect(currentRow(1)).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press(']');
  await expect(currentRow(3)).toHaveAttribute('aria-current', 'step');
  await expect(page.getByText(/First divergence at row 3/)).toBeVisible();

  await page.keyboard.press('d');
  await expect(page.getByText('By words:')).toBeVisible();
  await page.keyboard.press('v');
  await expect(page).toHaveURL(/heat=entropy/);
  await expect(page.getByText(/Not recorded/).first()).toBeVisible();

  await page.goBack();
  await expect(page).toHaveURL(/\/trajectories\/\d+/);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${run}/trajectories`));
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${run}\\?.*at=120`));
});

test('the first against the last step of a probe is one click from the run, and each task one more', async ({
  page,
  baseURL,
}) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const run = `/runs/${await storeRecordedPair(baseURL, home, 'unlock')}`;
  await page.goto(run);
  await page.getByRole('link', { name: /First against last step/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Step 0 against step 120' })).toBeVisible();
  const task = page.getByRole('row', { name: /open the door/ });
  await expect(task).toContainText('gained');
  await expect(task).toContainText('8 not in list');
  await expect(page.getByText('n = 1, not compared').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/pair\?task=.*a=0&b=120/);
  await expect(page.getByRole('group', { name: 'Aligned turns' })).toBeVisible();
  await page.keyboard.press('x');
  await expect(page).toHaveURL(/a=120&b=0/);
});
