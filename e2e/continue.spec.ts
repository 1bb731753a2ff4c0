import { expect, test } from '@playwright/test';

const STEPS = 12;

test('a stopped run is continued from its page and finishes', async ({ page }) => {
  await page.goto('/launch?preset=verify');
  await page.getByLabel('Name', { exact: true }).fill('to be continued');
  const settings = { steps: STEPS, 'evaluation.everySteps': 100, 'rollout.groups': 2, 'probe.tasks': 0 };
  for (const [path, value] of Object.entries(settings))
    await page.locator(`[name="${path}"]`).fill(String(value));
  await page.getByRole('button', { name: /^Launch/ }).click();
  await expect(page).toHaveURL(/\/runs\/r-\d+/);
  const runId = new URL(page.url()).pathname.split('/').pop() ?? '';
  const detail = async () =>
    (await (await page.request.get(`/api/v1/runs/${runId}`)).json()) as {
      run: { step: number; attempt: number; status: string };
      view: { checkpoints: { step: number; complete: boolean }[]; resumedFromStep: number | null };
    };

  await expect.poll(async () => (await detail()).run.step, { timeout: 90_000 }).toBeGreaterThanOrEqual(1);
  await page.keyboard.press('Shift+S');
  await page.getByRole('button', { name: 'Stop the run' }).click();
  await expect(page.getByText('stopped').first()).toBeVisible({ timeout: 60_000 });
  const stopped = await detail();
  const newest = stopped.view.checkpoints.filter(({ complete }) => complete).at(-1)?.step ?? 0;
  expect(newest).toBeGreaterThanOrEqual(1);
  expect(newest).toBeLessThan(STEPS);

  await page.getByRole('button', { name: 'Continue…' }).click();
  await expect(page.getByRole('dialog')).toContainText(`goes on from the checkpoint of step ${newest}`);
  await page.getByRole('button', { name: 'Continue the run' }).click();
  await expect(page.getByText('finished').first()).toBeVisible({ timeout: 150_000 });
  const finished = await detail();
  expect(finished.run).toMatchObject({ attempt: 2, step: STEPS, status: 'finished' });
  expect(finished.view.resumedFromStep).toBe(newest);
  await page.goto(`/runs/${runId}?tab=log`);
  await expect(page.getByText(`Continued on request from the checkpoint of step ${newest}`)).toBeVisible();
});
