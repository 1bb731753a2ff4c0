import { expect, test } from '@playwright/test';

const STEPS = 40;
/** As verl's CSV has it: a step and its metrics a row. */
const LOG = [
  'step,critic/rewards/mean,actor/entropy',
  ...Array.from({ length: STEPS }, (_, step) => `${step + 1},${(step / STEPS).toFixed(4)},${2 - step / 50}`),
].join('\n');

test('a log is imported, its curve is read, and a report cites it that outlives its page', async ({
  page,
}) => {
  await page.goto('/imports');
  await expect(page.getByRole('heading', { level: 1, name: 'Imports' })).toBeVisible();
  const send = (name: string, text: string) =>
    page
      .getByLabel('File to import')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await send('training.csv', LOG);
  const outcome = page.getByRole('status').filter({ hasText: 'Imported: r-' });
  await expect(outcome).toBeVisible();
  const runId = await outcome.getByRole('link').innerText();
  await send('training.csv', LOG);
  await expect(page.getByRole('status').filter({ hasText: `Imported before: ${runId}` })).toBeVisible();
  await send('broken.csv', 'no log at all');
  await expect(page.getByRole('status').filter({ hasText: 'Refused: ' })).toBeVisible();

  await page
    .getByRole('row', { name: /training\.csv/ })
    .getByRole('link')
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}`));
  await page.keyboard.press('2');
  await expect(page.getByRole('img', { name: new RegExp(`${STEPS} points`) }).first()).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await page.getByRole('button', { name: /New report/ }).click();
  await page.getByLabel('Title').fill('What the log says');
  await page.getByRole('group', { name: 'Add a block' }).getByRole('button', { name: 'Text' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill(`Reward rises, see [the run](/runs/${runId}).`);
  // Left at once, before a save that waits for a pause in typing.
  await page.getByRole('link', { name: 'Reports' }).first().click();
  await expect(page).toHaveURL(/\/reports$/);
  await page.getByRole('link', { name: 'What the log says' }).click();
  await expect(page.getByText('Reward rises, see')).toBeVisible();
  await expect(page.getByRole('link', { name: 'the run' })).toHaveAttribute('href', `/runs/${runId}`);
  await page.reload();
  await expect(page.getByText('Reward rises, see')).toBeVisible();
});
