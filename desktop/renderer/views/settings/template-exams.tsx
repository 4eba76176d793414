/** The exams that a template is for: modalities, procedure codes, phrases of the description, and parts of the body. */
import { useSignal } from '@preact/signals';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Field, TextField } from '../../parts/field.tsx';
import { editTemplate } from '../../state/template-draft.ts';
import type { EditedTemplate } from '../../state/template-draft.ts';
import { TemplatePart } from './template-part.tsx';
import { regionNames } from './template-facts.tsx';

type Exams = EditedTemplate['exams'];
/** The error of the first value at fault, at a dotted path. */
type ErrorIn = (path: string) => string | undefined;

const names = ['modalities', 'codes', 'words', 'regions'] as const;

const split = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function TemplateExamsForm({ exams, errorIn }: { exams: Exams; errorIn: ErrorIn }) {
  /** An empty list is none. */
  const edit = (name: keyof Exams, values: readonly string[]): void => {
    const { [name]: _, ...others } = exams;
    editTemplate({ exams: values.length === 0 ? others : { ...others, [name]: [...values] } });
  };
  const regions = exams.regions ?? [];
  return (
    <TemplatePart title={t('templates.exams')} isWrong={names.some((name) => errorIn(`exams.${name}`) !== undefined)}>
      <p class="field-note">{t('templates.exams_hint')}</p>
      <LineField
        label={t('templates.modalities')}
        hint={t('templates.modalities_hint')}
        error={errorIn('exams.modalities')}
        values={exams.modalities ?? []}
        onValues={(values) =>
          edit(
            'modalities',
            values.map((code) => code.toUpperCase()),
          )
        }
      />
      <LinesField
        label={t('templates.codes')}
        hint={t('templates.codes_hint')}
        error={errorIn('exams.codes')}
        values={exams.codes ?? []}
        onValues={(values) => edit('codes', values)}
      />
      <LinesField
        label={t('templates.words')}
        hint={t('templates.words_hint')}
        error={errorIn('exams.words')}
        values={exams.words ?? []}
        onValues={(values) => edit('words', values)}
      />
      <fieldset class="template-regions">
        <legend>{t('templates.regions')}</legend>
        {Object.entries(regionNames(shownLanguage())).map(([key, name]) => (
          <label class="check" key={key}>
            <input
              type="checkbox"
              checked={regions.includes(key)}
              onChange={({ currentTarget }) =>
                edit('regions', currentTarget.checked ? [...regions, key] : regions.filter((other) => other !== key))
              }
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </TemplatePart>
  );
}

interface ListFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly error?: string | undefined;
  readonly values: readonly string[];
  readonly onValues: (values: string[]) => void;
}

/** Values separated by commas. The text stays as typed: a comma at its end is no value yet. */
export function LineField({ values, onValues, ...field }: ListFieldProps) {
  const text = useSignal(values.join(', '));
  return (
    <TextField
      {...field}
      verbatim
      autocomplete="off"
      value={text.value}
      onValue={(value) => {
        text.value = value;
        onValues(split(value, /,/));
      }}
    />
  );
}

/** One value on each line. */
function LinesField({ label, hint, error, values, onValues }: ListFieldProps) {
  const text = useSignal(values.join('\n'));
  return (
    <Field label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <textarea
          id={id}
          class="input macro-text"
          rows={2}
          spellcheck={false}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            onValues(split(currentTarget.value, /\n/));
          }}
        />
      )}
    </Field>
  );
}
