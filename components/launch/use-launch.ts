'use client';
import { useMemo } from 'react';
import { useRouter } from 'next/navigation';
import { useMutation } from '@tanstack/react-query';
import { AppError } from '@/contract/errors';
import type { LaunchedRun } from '@/contract/api';
import type { RecipeEntry } from '@/contract/recipes/registry';
import { apiUrl, postJson } from '@/components/data/api-client';
import { useUrlState } from '@/components/data/url-state';
import { formFields, type FormField } from './form-fields';
import { draftConfig, draftIssues, editParameter, readDraft, type LaunchDraft } from './launch-draft';

export interface ClonedRun {
  recipe: string;
  preset: string;
  name: string;
  config: unknown;
}

const fieldsByRecipe = new Map<RecipeEntry, FormField[]>();

function fieldsOf(recipe: RecipeEntry): FormField[] {
  const known = fieldsByRecipe.get(recipe);
  if (known) return known;
  const made = formFields(recipe.config);
  fieldsByRecipe.set(recipe, made);
  return made;
}

/** The draft in the URL, what is wrong with it, and the ways to change and send it. */
export function useLaunch(cloned: ClonedRun | null) {
  const { params, set, setText } = useUrlState();
  const router = useRouter();
  const draft = useMemo(
    () => readDraft(new URLSearchParams(params.toString()), fieldsOf, cloned),
    [params, cloned],
  );
  const fields = fieldsOf(draft.recipe);
  const config = draftConfig(draft, fields);
  const launch = useMutation({
    mutationFn: (sent: { draft: LaunchDraft; config: unknown }) =>
      postJson<LaunchedRun>(apiUrl('/runs'), {
        name: sent.draft.name,
        recipe: sent.draft.recipe.id,
        preset: sent.draft.preset,
        config: sent.config,
      }),
    onSuccess: ({ runId }) => router.push(`/runs/${encodeURIComponent(runId)}`),
  });
  const own = draftIssues(draft, config);
  const refused = launch.error instanceof AppError ? launch.error.issues : [];
  /** A refusal speaks of what was sent; once that is edited it no longer holds. */
  const edit = (name: string, text: string | null) => {
    if (launch.isError) launch.reset();
    setText(name, text);
  };
  return {
    draft,
    fields,
    config,
    presetConfig: draft.recipe.presets[draft.preset],
    issues: [...own, ...refused.filter((issue) => !own.some((other) => other.path === issue.path))],
    failure: launch.error?.message ?? null,
    pending: launch.isPending,
    edit,
    choose: (changes: { recipe?: string; preset?: string | null }) => set(changes),
    reset: () => set(Object.fromEntries([...draft.edits.keys()].map((path) => [editParameter(path), null]))),
    submit: () => {
      // The address bar holds the last keystroke; what was rendered may be a moment older.
      const typed = readDraft(new URLSearchParams(window.location.search), fieldsOf, cloned);
      const resolved = draftConfig(typed, fieldsOf(typed.recipe));
      if (draftIssues(typed, resolved).length === 0 && !launch.isPending)
        launch.mutate({ draft: typed, config: resolved });
    },
  };
}
export type Launch = ReturnType<typeof useLaunch>;
