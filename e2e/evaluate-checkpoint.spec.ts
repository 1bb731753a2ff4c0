import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';

const TASKS = 4;

interface Unit {
  key: string;
  step: number;
  seed: number;
  played: number;
  result: { n: number; temperature: number; maxTurns: number } | null;
}

async function get<Answer>(page: Page, path: string): Promise<Answer> {
  return (await (await page.request.get(`/api/v1${path}`)).json()) as Answer;
}

/** A run of two steps, each with a checkpoint on the server. */
async function train(page: Page): Promise<string> {
  await page.goto('/launch?preset=verify');
  await page.getByLabel('Name', { exact: true }).fill('to be evaluated');
  const settings = { steps: 2, 'evaluation.everySteps': 100, 'probe.tasks': 0, 'checkpoint.everySteps': 1 };
  for (const [path, value] of Object.entries(settings))
    await page.locator(`[name="${path}"]`).fill(String(value));
  await page.getByRole('button', { name: /^Launch/ }).click();
  await expect(page).toHaveURL(/\/runs\/r-\d+/);
  await expect(page.getByText('finished').first()).toBeVisible({ timeout: 120_000 });
  return new URL(page.url()).pathname.split('/').pop() ?? '';
}

test('checkpoints of a run are evaluated anew, and a figure leads to its trajectories and back', async ({
  page,
}) => {
  const source = await train(page);
  await page.goto(`/runs/${source}?tab=checkpoints`);
  await expect(page.getByText('None was asked for.')).toBeVisible();
  for (const step of [1, 2]) {
    // The choice lives in the URL, which answers a moment after the click.
    const box = page.getByLabel(`Choose the checkpoint of step ${step}`);
    await box.click();
    await expect(box).toBeChecked();
  }
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Evaluate 2 checkpoints' });
  await dialog.getByLabel('Tasks of valid_seen').fill(String(TASKS));
  await dialog.getByLabel('Tasks of valid_unseen').fill('');
  await dialog.getByLabel('greedy').uncheck();
  await dialog.getByLabel('sampled').check();
  await dialog.getByLabel('Seeds').fill('1, 2');
  await dialog.getByLabel('Temperature').fill('0.7');
  await dialog.getByLabel('Most turns').fill('3');
  await expect(dialog).toContainText(`${2 * 2 * TASKS} trajectories in 4 evaluations`);
  expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations).toEqual([]);
  await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click();

  await expect(page.getByRole('heading', { name: /evaluation of 2 checkpoints/ })).toBeVisible();
  const runId = new URL(page.url()).pathname.split('/').pop() ?? '';
  await expect(page.getByText('finished').first()).toBeVisible({ timeout: 120_000 });
  await expect(
    page.getByText(`4 of 4 ended, ${4 * TASKS} of ${4 * TASKS} trajectories played`),
  ).toBeVisible();
  const { units } = await get<{ units: Unit[] }>(page, `/runs/${runId}/evaluation-units`);
  expect(units.map(({ step, seed, played }) => [step, seed, played])).toEqual([
    [1, 1, TASKS],
    [1, 2, TASKS],
    [2, 1, TASKS],
    [2, 2, TASKS],
  ]);
  for (const { result } of units) expect(result).toMatchObject({ n: TASKS, temperature: 0.7, maxTurns: 3 });
  await expect(page.getByText('temperature 0.7', { exact: true })).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page
    .getByRole('link', { name: `${TASKS} of ${TASKS}` })
    .last()
    .click();
  await expect(page).toHaveURL(/trajectories\?evaluation=/);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('link', { name: 'Evaluation', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}\\?tab=evaluations&evaluation=`));
  await expect(page.locator('tr[aria-selected=true]')).toHaveCount(1);

  await page.goto(`/runs/${source}?tab=checkpoints`);
  await expect(
    page.getByRole('link', { name: 'to be evaluated: evaluation of 2 checkpoints' }),
  ).toBeVisible();
});
