import { expect, test } from '@playwright/test';

const TASKS = JSON.stringify([{ split: 'valid_seen', tasks: 6 }]);

/** The preset for household games, cut down to two short steps. */
const SETTINGS = {
  steps: '2',
  'rollout.groups': '2',
  'rollout.groupSize': '4',
  'evaluation.everySteps': '2',
  'evaluation.splits': TASKS,
  'evaluation.finalSplits': TASKS,
  'evaluation.controls': 'false',
  'probe.tasks': '1',
  'probe.samples': '1',
  'checkpoint.everySteps': '2',
};

test('the household is trained on from the form, and each turn shows its rooms', async ({ page }) => {
  const edits = Object.entries(SETTINGS).map(([path, value]): [string, string] => [`set.${path}`, value]);
  await page.goto(
    `/launch?${new URLSearchParams([['preset', 'small'], ['name', 'household journey'], ...edits]).toString()}`,
  );
  await expect(page.locator('[name="environment.id"]')).toHaveValue('household');
  await page.getByRole('button', { name: /^Launch/ }).click();
  await expect(page).toHaveURL(/\/runs\/r-\d+/);
  const runPath = new URL(page.url()).pathname;
  await expect(page.getByText('finished').first()).toBeVisible({ timeout: 150_000 });
  await expect(page.getByRole('img', { name: /^Reward by step.* 2 points/ })).toBeVisible();

  await page.goto(`${runPath}/trajectories?step=2`);
  await page.locator('table td').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trajectories\/\d+/);
  await expect(page.getByRole('group', { name: 'Household' })).toBeVisible();
  const here = page.getByRole('list', { name: 'Receptacles' }).getByRole('listitem');
  expect(await here.count()).toBeGreaterThan(3);
  await expect(page.getByRole('list', { name: 'Stages of the goal' })).toContainText('placed');
});
