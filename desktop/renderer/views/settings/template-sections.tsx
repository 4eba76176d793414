/** The sections and the normal texts of a template that is edited. */
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { mergeFields } from '../../../../src/reporting/templates/merge-fields.ts';
import { sectionKinds } from '../../../../src/reporting/sections/section-kinds.ts';
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import { bringsNormal } from '../../../../src/reporting/vocabulary/macros.ts';
import { t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Field, Select, TextField } from '../../parts/field.tsx';
import { editTemplate, keyForTitle } from '../../state/template-draft.ts';
import type { EditedMacro, EditedSection, EditedTemplate } from '../../state/template-draft.ts';
import { TextWithFields } from '../macros/text-with-fields.tsx';
import { LineField } from './template-exams.tsx';
import { TemplatePart } from './template-part.tsx';

const maxText = 20_000;

interface PartProps {
  readonly definition: EditedTemplate;
  /** The error of a field at a dotted path such as `sections.0.text`. */
  readonly errorAt: (path: string) => string | undefined;
}

const moved = <T,>(items: readonly T[], at: number, to: number): T[] => {
  const next = items.filter((_, each) => each !== at);
  next.splice(to, 0, ...items.slice(at, at + 1));
  return next;
};
const changed = <T,>(items: readonly T[], at: number, item: T): T[] =>
  items.map((old, each) => (each === at ? item : old));

export function TemplateSections({ definition, errorAt }: PartProps) {
  const { sections, macros, language } = definition;
  const put = (next: readonly EditedSection[]): void => editTemplate({ sections: [...next] });
  const merged = mergeFields.map((name) => ({ field: `{${name}}`, label: t(`templates.merge_${name}`) }));
  return (
    <section class="template-fields" aria-label={t('templates.sections')}>
      <h4>{t('templates.sections')}</h4>
      {sections.map((section, at) => {
        const name = section.title.trim() || t('templates.unnamed');
        const path = `sections.${at}`;
        const isHeld = macros.some((macro) => macro.section === section.key);
        return (
          <Card
            key={section.key}
            title={t('templates.section_of', { n: at + 1, title: name })}
            name={name}
            at={at}
            count={sections.length}
            isWrong={['title', 'key', 'text', 'names'].some((field) => errorAt(`${path}.${field}`) !== undefined)}
            onMove={(to) => put(moved(sections, at, to))}
            onDrop={
              sections.length === 1 || isHeld ? undefined : () => put(sections.filter((each) => each !== section))
            }
          >
            <SectionFields
              {...{ section, path, language, merged, errorAt }}
              onSection={(next) => put(changed(sections, at, next))}
            />
          </Card>
        );
      })}
      <NewSection definition={definition} />
    </section>
  );
}

function SectionFields({
  section,
  path,
  language,
  merged,
  errorAt,
  onSection,
}: Pick<PartProps, 'errorAt'> & {
  section: EditedSection;
  path: string;
  language: string;
  merged: readonly { readonly field: string; readonly label: string }[];
  onSection: (section: EditedSection) => void;
}) {
  const { text: _text, ...silent } = section;
  const { names: _names, ...unnamed } = section;
  return (
    <>
      <TextField
        label={t('templates.section_title')}
        error={errorAt(`${path}.title`) ?? errorAt(`${path}.key`)}
        value={section.title}
        maxLength={200}
        onValue={(title) => onSection({ ...section, title })}
      />
      <TextWithFields
        label={t('templates.section_text')}
        hint={t('templates.section_text_hint')}
        error={errorAt(`${path}.text`)}
        value={section.text ?? ''}
        language={language}
        maxLength={maxText}
        rows={2}
        merged={merged}
        onValue={(text) => onSection(text.trim() === '' ? silent : { ...section, text })}
      />
      <LineField
        label={t('templates.section_names')}
        hint={t('templates.section_names_hint')}
        error={errorAt(`${path}.names`)}
        values={section.names ?? []}
        onValues={(names) => onSection(names.length === 0 ? unnamed : { ...section, names })}
      />
      <Check
        label={t('templates.section_required')}
        checked={section.required === true}
        onChecked={(required) => onSection({ ...section, required })}
      />
    </>
  );
}

function NewSection({ definition }: { definition: EditedTemplate }) {
  const { language, sections } = definition;
  const title = useSignal('');
  const known = useId();
  const add = (): void => {
    const name = title.peek().trim();
    if (name === '') return;
    editTemplate({ sections: [...sections, { key: keyForTitle(name, definition), title: name }] });
    title.value = '';
  };
  const free = sectionKinds.filter(({ key }) => key !== 'addendum' && sections.every((section) => section.key !== key));
  return (
    <Field label={t('templates.section_new')} hint={t('templates.section_new_hint')}>
      {({ id, describedBy }) => (
        <div class="template-new">
          <input
            id={id}
            class="input"
            list={known}
            maxLength={200}
            autocomplete="off"
            aria-describedby={describedBy}
            value={title.value}
            onInput={(event) => (title.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <datalist id={known}>
            {free.map(({ key }) => (
              <option key={key} value={sectionTitle(language, key)} />
            ))}
          </datalist>
          <Button icon="plus" disabled={title.value.trim() === ''} onClick={add}>
            {t('templates.section_add')}
          </Button>
        </div>
      )}
    </Field>
  );
}

export function TemplateNormals({ definition, errorAt }: PartProps) {
  const { sections, macros, language } = definition;
  const put = (next: readonly EditedMacro[]): void => editTemplate({ macros: [...next] });
  return (
    <section class="template-fields" aria-label={t('templates.normals')}>
      <h4>{t('templates.normals')}</h4>
      <p class="field-note">{t('templates.normals_hint')}</p>
      {macros.map((macro, at) => {
        const name = macro.name.trim() || t('templates.unnamed');
        const path = `macros.${at}`;
        const edit = (change: Partial<EditedMacro>): void => put(changed(macros, at, { ...macro, ...change }));
        return (
          <Card
            // A name may change and repeat; the place is all that a normal text has.
            key={at}
            title={t('templates.normal_of', { n: at + 1, name })}
            name={name}
            at={at}
            count={macros.length}
            isNew={macro.name === ''}
            isWrong={['name', 'section', 'text'].some((field) => errorAt(`${path}.${field}`) !== undefined)}
            onMove={(to) => put(moved(macros, at, to))}
            onDrop={() => put(macros.filter((each) => each !== macro))}
          >
            <TextField
              label={t('templates.normal_name')}
              error={errorAt(`${path}.name`)}
              value={macro.name}
              maxLength={100}
              onValue={(value) => edit({ name: value })}
            />
            <Select
              label={t('templates.normal_section')}
              value={macro.section}
              choices={sections.map(({ key, title }) => ({ value: key, label: title }))}
              onValue={(section) => edit({ section })}
            />
            <TextWithFields
              label={t('templates.normal_text')}
              hint={t('macros.fields_hint')}
              error={errorAt(`${path}.text`)}
              value={macro.text}
              language={language}
              maxLength={maxText}
              rows={3}
              onValue={(text) => edit({ text })}
            />
            <Check
              label={t('templates.normal_with_all')}
              checked={bringsNormal({ ...macro, owner: 'template' })}
              onChecked={(normal) => edit({ normal })}
            />
          </Card>
        );
      })}
      <Button
        icon="plus"
        onClick={() => put([...macros, { name: '', section: sections[0]?.key ?? 'findings', text: '', normal: true }])}
      >
        {t('templates.normal_add')}
      </Button>
    </section>
  );
}

const Check = ({
  label,
  checked,
  onChecked,
}: {
  label: string;
  checked: boolean;
  onChecked: (checked: boolean) => void;
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChecked(currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

/** A section or a normal text, with its place among the others. */
function Card({
  title,
  name,
  at,
  count,
  isNew = false,
  isWrong,
  onMove,
  onDrop,
  children,
}: {
  title: string;
  name: string;
  at: number;
  count: number;
  isNew?: boolean;
  isWrong: boolean;
  onMove: (to: number) => void;
  /** Absent: it has to stay. */
  onDrop: (() => void) | undefined;
  children: ComponentChildren;
}) {
  return (
    <TemplatePart title={title} isNew={isNew} isWrong={isWrong}>
      {children}
      <div class="template-moves">
        <IconButton icon="up" label={t('templates.up', { name })} disabled={at === 0} onClick={() => onMove(at - 1)} />
        <IconButton
          icon="down"
          label={t('templates.down', { name })}
          disabled={at === count - 1}
          onClick={() => onMove(at + 1)}
        />
        {onDrop && <IconButton icon="trash" label={t('templates.drop', { name })} onClick={onDrop} />}
      </div>
    </TemplatePart>
  );
}
