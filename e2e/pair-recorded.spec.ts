import { expect, test } from '@playwright/test';
import { storeRecordedPair } from './fixtures/store-recorded-pair';

test('a recorded pair opens at its first divergence and is read by keyboard', async ({ page, baseURL }) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const runId = await storeRecordedPair(baseURL, home, 'unlock');
  const task = encodeURIComponent('babyai/UnlockLocalDist/1000000');
  await page.goto(`/runs/${runId}/pair?task=${task}&a=0&b=120`);

  const lanes = page.getByRole('group', { name: 'Aligned turns' });
  await expect(lanes.getByRole('button', { name: /^Row 3(,|$)/ })).toHaveAttribute('aria-current', 'step');
  const earlier = page.getByRole('region', { name: /Side A, step 0/ });
  const later = page.getByRole('region', { name: /Side B, step 120/ });
  await expect(earlier).toContainText('toggle and go through blue closed door 1');
  await expect(earlier).toContainText(/not in list/i);
  await expect(later).toContainText('turn left');

  await page.keyboard.press('Home');
  await expect(lanes.getByRole('button', { name: /^Row 1(,|$)/ })).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press(']');
  await expect(lanes.getByRole('button', { name: /^Row 3(,|$)/ })).toHaveAttribute('aria-current', 'step');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/[?&]t=4/);
  await page.reload();
  await expect(later).toContainText('toggle and go through yellow locked door 1');
});
