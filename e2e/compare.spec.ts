import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { evaluatedRun } from './fixtures/evaluated-run';
import { storeRun } from './fixtures/store-run';

test('three checkpoints are compared on both splits, and the table is exported as LaTeX', async ({
  page,
  baseURL,
}) => {
  const home = process.env.STEPSCOPE_E2E_HOME;
  if (!baseURL || !home) throw new Error('the browser lane sets STEPSCOPE_E2E_HOME');
  const runId = await storeRun(baseURL, home, 'an evaluated run', evaluatedRun());

  await page.goto(`/runs/${runId}?tab=evaluations`);
  await page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`c=${runId}%400&c=${runId}%4040&c=${runId}%4080`));

  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict).toContainText('Step 40 is higher than Step 0 on valid_seen (+60.00 pp).');
  await expect(verdict).toContainText('The splits disagree');
  const matrix = page.getByRole('region', { name: 'Checkpoints by splits' });
  const last = matrix.getByRole('row', { name: /Step 80/ });
  await expect(last).toContainText('34/40 85.0');
  await expect(last).toContainText('exact McNemar, Holm');
  await expect(last).toContainText('28 gained, 6 lost');

  await page.keyboard.press('E');
  await expect(page.getByRole('menuitem', { name: 'LaTeX' })).toBeFocused();
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('compare.tex');
  const latex = await readFile(await download.path(), 'utf8');
  expect(latex).toContain('\\begin{tabular}{lrrlrrl}');
  expect(latex).toContain('Step 80 & 34/40 85.0');
  expect(latex).toContain(`baseline: ${runId}@0`);

  await page.getByRole('button', { name: 'valid_seen', exact: true }).click();
  const gained = page.getByRole('region', { name: 'Gained' });
  await expect(gained.getByRole('heading')).toContainText('Gained 28');
  await page.keyboard.press('k');
  await expect(page).toHaveURL(new RegExp(`row=${runId}%4040`));
  await page.keyboard.press('b');
  await expect(matrix.locator('tbody').getByRole('row', { name: /Step 40/ })).toContainText('baseline');
  await page.reload();
  await expect(matrix.locator('tbody').getByRole('row', { name: /Step 40/ })).toContainText('baseline');
});
