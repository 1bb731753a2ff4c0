'use client';
import { useMemo } from 'react';
import { useRouter } from 'next/navigation';
import { useMutation } from '@tanstack/react-query';
import { AppError } from '@/contract/errors';
import type { LaunchedRun } from '@/contract/api';
import type { RecipeEntry } from '@/contract/recipes/registry';
import { apiUrl, postJson } from '@/components/data/api-client';
import { useUrlState } from '@/components/data/url-state';
import { formFields, type FormField, type VariantField } from './form-fields';
import {
  draftBase,
  draftConfig,
  draftIssues,
  editParameter,
  readDraft,
  variantChanges,
  type LaunchDraft,
} from './launch-draft';
import { chosenVariants, shownFields, withVariants } from './variants';

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
  const { params, set, setTexts } = useUrlState();
  const router = useRouter();
  const draft = useMemo(
    () => readDraft(new URLSearchParams(params.toString()), fieldsOf, cloned),
    [params, cloned],
  );
  const allFields = fieldsOf(draft.recipe);
  const config = draftConfig(draft, allFields);
  const presetConfig = draft.recipe.presets[draft.preset];
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
  const edit = (changes: Record<string, string | null>) => {
    if (launch.isError) launch.reset();
    setTexts(changes);
  };
  return {
    draft,
    /** The fields of the chosen variants, in the config's order. */
    fields: shownFields(allFields, config),
    config,
    presetConfig,
    /** What a setting was before the edits: of a variant that the preset does not have, its default. */
    baseConfig: draftBase(draft, allFields),
    /** What a setting is measured against: the preset's value or, of another variant, its default. */
    referenceConfig: withVariants(presetConfig, allFields, chosenVariants(allFields, config)),
    issues: [...own, ...refused.filter((issue) => !own.some((other) => other.path === issue.path))],
    failure: launch.error?.message ?? null,
    pending: launch.isPending,
    edit,
    chooseVariant: (field: VariantField, id: string) => edit(variantChanges(draft, allFields, field, id)),
    choose: (changes: { recipe?: string; preset?: string | null }) => set(changes),
    reset: () => {
      const parameters = [...[...draft.edits.keys()].map(editParameter), ...draft.kept.keys()];
      edit(Object.fromEntries(parameters.map((name) => [name, null])));
    },
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
