'use client';
import { useRef, type ReactNode } from 'react';
import { RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { useUrlState } from '@/components/data/url-state';
import { changedSettings } from '@/components/run/config-rows';
import { Field, Select, TextInput } from '@/components/ui/field';
import { useKeys } from '@/components/ui/key-map';
import { Note } from '@/components/ui/panel';
import { valueAtPath } from './config-path';
import { CostProjection } from './cost-projection';
import { titleOf } from './field-title';
import { matchesField } from './form-fields';
import { editParameter, formatEdit, issueOf } from './launch-draft';
import { BeforeLaunch, ChangedPanel } from './launch-rail';
import { PublishedEvaluations } from './published-evaluations';
import { SettingControl } from './setting-control';
import { SmallestDifference } from './smallest-difference';
import { unsuitableScaffolds } from './unsuitable-scaffolds';
import { useLaunch, type ClonedRun, type Launch } from './use-launch';
import { optionalText } from './variants';

/** The form. All that was typed is in the URL, so neither an error nor a reload loses it. */
export function LaunchForm({ cloned }: { cloned: ClonedRun | null }) {
  const launch = useLaunch(cloned);
  useKeys([{ keys: ['Mod+Enter'], label: 'launch', hint: true, run: launch.submit }]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_384px] items-start gap-4">
      <form
        aria-label="Launch a run"
        onSubmit={(event) => {
          event.preventDefault();
          launch.submit();
        }}
      >
        <RunFields launch={launch} />
        <SettingSections launch={launch} />
      </form>
      <aside
        aria-label="Summary"
        className="sticky top-12 flex max-h-[calc(100vh-90px)] flex-col gap-2.5 overflow-auto"
      >
        <BeforeLaunch
          issues={launch.issues}
          failure={launch.failure}
          engine={formatEdit(valueAtPath(launch.config, 'engine.kind'))}
          model={formatEdit(valueAtPath(launch.config, 'engine.model'))}
          environment={formatEdit(valueAtPath(launch.config, 'environment.id'))}
          pending={launch.pending}
          onLaunch={launch.submit}
        />
        <CostProjection recipe={launch.draft.recipe} config={launch.config} />
        <ChangedPanel
          preset={launch.draft.preset}
          changes={changedSettings(launch.presetConfig, launch.config)}
          total={launch.fields.length}
          onReset={launch.draft.edits.size > 0 ? launch.reset : null}
        />
      </aside>
    </div>
  );
}

function RunFields({ launch }: { launch: Launch }) {
  const { draft, issues } = launch;
  const notRunHere = draft.recipe.notRunHere.includes(draft.preset);
  return (
    <>
      <FormSection title="Run" caption="What is launched, from which values.">
        <Field label="Name" error={issueOf(issues, 'name')}>
          {(control) => (
            <TextInput
              {...control}
              name="name"
              value={draft.name}
              onValue={(text) => launch.edit({ name: text })}
            />
          )}
        </Field>
        <Field label="Recipe" error={issueOf(issues, 'recipe')}>
          {(control) => (
            <Select
              {...control}
              name="recipe"
              value={draft.recipe.id}
              onValue={(recipe) => launch.choose({ recipe, preset: null })}
              options={Object.values<RecipeEntry>(RECIPES).map((each) => ({
                value: each.id,
                title: each.title,
              }))}
            />
          )}
        </Field>
        <Field label="Preset" error={issueOf(issues, 'preset')}>
          {(control) => (
            <Select
              {...control}
              name="preset"
              value={draft.preset}
              onValue={(preset) => launch.choose({ preset })}
              options={offeredPresets(draft.recipe).map((each) => ({
                value: each,
                title: draft.recipe.notRunHere.includes(each) ? `${each} (not run here)` : each,
              }))}
            />
          )}
        </Field>
      </FormSection>
      {draft.unknown.length > 0 && (
        <div className="mb-3">
          <Note tone="warn">
            The address names what is not known here, and it was left out: {draft.unknown.join(', ')}.
          </Note>
        </div>
      )}
      {notRunHere && (
        <div className="mb-3">
          <Note tone="warn">
            Not run here: preset {draft.preset} holds the values as their source states them. It has never run
            on the hardware that it asks for.
          </Note>
        </div>
      )}
    </>
  );
}

/** Names of a recipe's presets; the cheapest first, by which the others are projected. */
function offeredPresets(recipe: RecipeEntry): string[] {
  const names = Object.keys(recipe.presets);
  return [...names.filter((name) => name === 'verify'), ...names.filter((name) => name !== 'verify')];
}

function SettingSections({ launch }: { launch: Launch }) {
  const { params, set } = useUrlState();
  const searchBox = useRef<HTMLInputElement>(null);
  const search = params.get('find') ?? '';
  const shown = launch.fields.filter((field) => matchesField(field, search));
  useKeys([{ keys: ['/'], label: 'find a setting', hint: true, run: () => searchBox.current?.focus() }]);
  return (
    <>
      <div className="flex items-center gap-2 border-t border-line py-3">
        <TextInput
          ref={searchBox}
          type="search"
          aria-label="Find a setting by key or words"
          placeholder="Find a setting by key or words"
          value={search}
          onValue={(find) => set({ find })}
          className="max-w-80"
        />
        <span className="text-sm text-ink-3">
          {shown.length} of {launch.fields.length} settings. A bar at the left marks a change from the preset
          or from the defaults of another variant.
        </span>
      </div>
      {[...new Set(shown.map((field) => field.section))].map((section) => (
        <FormSection key={section} title={section ? titleOf(section) : 'Seed and length'}>
          {section === 'evaluation' && <PublishedEvaluations launch={launch} />}
          {shown
            .filter((field) => field.section === section)
            .map((field) => (
              <DraftSetting key={`${field.variant ?? ''}/${field.path}`} launch={launch} field={field} />
            ))}
          {section === 'evaluation' && <SmallestDifference config={launch.config} />}
        </FormSection>
      ))}
    </>
  );
}

function DraftSetting({ launch, field }: { launch: Launch; field: Launch['fields'][number] }) {
  const { draft, config, issues } = launch;
  const isVariant = field.kind === 'variant';
  const isOptional = field.kind === 'optional';
  const valueIn = (values: unknown) => {
    const value = valueAtPath(values, field.path);
    return isOptional ? optionalText(value) : formatEdit(value);
  };
  const text = draft.edits.get(field.path) ?? valueIn(config);
  const reference = valueIn(isVariant || isOptional ? launch.presetConfig : launch.referenceConfig);
  const path = `config.${field.path}`;
  return (
    <SettingControl
      field={field}
      text={text}
      was={text === reference ? undefined : reference}
      unsuitable={field.path === 'scaffold.id' ? unsuitableScaffolds(config) : undefined}
      // What is wrong within an optional part stands beside its own settings.
      error={issueOf(isOptional ? issues.filter((issue) => issue.path === path) : issues, path)}
      onText={(typed) =>
        isVariant
          ? launch.chooseVariant(field, typed)
          : launch.edit({
              [editParameter(field.path)]:
                typed === valueIn(isOptional ? draft.base : launch.baseConfig) ? null : typed,
            })
      }
    />
  );
}

function FormSection({ title, caption, children }: { title: string; caption?: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[148px_minmax(0,1fr)] gap-4 border-t border-line py-3.5 first:border-t-0 first:pt-1"
    >
      <div>
        <h2>{title}</h2>
        {caption && <p className="text-xs text-ink-3">{caption}</p>}
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(190px,1fr))] items-start gap-x-3 gap-y-3.5">
        {children}
      </div>
    </section>
  );
}
