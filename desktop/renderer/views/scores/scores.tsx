/**
 * The form of a score or a measurement. Its result is inserted into the report at the caret, with the form as its
 * origin.
 */
import { useId, useState } from 'preact/hooks';
import { scores } from '../../../../src/reporting/scores/index.ts';
import { chooseScore, fillAnswers } from '../../../../src/reporting/scores/fill-score.ts';
import { measurementLine } from '../../../../src/reporting/scores/measurement.ts';
import { applicableQuestions, applicableAnswers, buildScoreLine } from '../../../../src/reporting/scores/score.ts';
import type { Answers, Question, Score } from '../../../../src/reporting/scores/score.ts';
import type { ExamToWrite } from '../../../../src/reporting/templates/choose.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { insertWords } from '../../state/report/insert-words.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { elementAt, findElement } from '../../../../src/domain/elements.ts';

const measurement = 'measurement';
/** Offered first for an exam that no form is for: the one used last. */
let lastUsed = elementAt(scores, 0).id;

/** The target of a result: the caret, otherwise the end of the conclusion, otherwise of the last section. */
function findTarget(document: ReadyReport, caret: Caret | undefined): Caret | undefined {
  const sections = document.sections.peek();
  const known = caret && sections.find(({ key }) => key === caret.section);
  if (known) {
    const within = (at: number): number => Math.min(at, known.text.length);
    return { section: known.key, start: within(caret.end), end: within(caret.end) };
  }
  const last = sections.find(({ key }) => key === 'impression') ?? sections.at(-1);
  return last && { section: last.key, start: last.text.length, end: last.text.length };
}

export function Scores({
  document,
  exam,
  caret,
  onClose,
}: {
  document: ReadyReport;
  exam: ExamToWrite | undefined;
  caret: Caret | undefined;
  onClose: () => void;
}) {
  const form = useId();
  const record = document.record.value;
  /** The answers that the report already has. */
  const readReport = (chosen: string): Answers => {
    const score = scores.find((each) => each.id === chosen);
    const { language } = record;
    return score ? fillAnswers(score, { sections: document.sections.peek(), language, caret }) : {};
  };
  const [id, setId] = useState(() => (exam && chooseScore(exam, scores)) ?? lastUsed);
  const [filled, setFilled] = useState(() => readReport(id));
  const [answers, setAnswers] = useState(filled);
  const score = scores.find((each) => each.id === id);
  const name = score?.name ?? t('clinical.measurement');
  const line = score ? buildScoreLine(score, answers, record.language) : measured(answers, record.language);
  const place = record.status === 'final' ? undefined : findTarget(document, caret);
  const title = document.sections.value.find(({ key }) => key === place?.section)?.title;
  const insert = (event: Event): void => {
    event.preventDefault();
    if (line === undefined || !place) return;
    lastUsed = id;
    const around = findElement(document.sections.peek(), ({ key }) => key === place.section).text;
    const { text, end } = insertWords(around, place.end, line);
    void document.bring(place.section, text, { text: line, score: name });
    onClose();
    const field = globalThis.document.getElementById(`section-${place.section}`);
    requestAnimationFrame(() => {
      if (!(field instanceof HTMLTextAreaElement)) return;
      field.focus();
      field.setSelectionRange(end, end);
    });
  };
  return (
    <Dialog
      open
      title={t('clinical.scores')}
      onClose={onClose}
      footer={
        <>
          <output class="clinical-result" form={form} aria-live="polite" lang={record.language}>
            {line ?? t('clinical.score_incomplete')}
          </output>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" type="submit" form={form} disabled={line === undefined || !place}>
            {t('clinical.score_insert')}
          </Button>
        </>
      }
    >
      <form id={form} class="clinical-form" onSubmit={insert}>
        <Select
          label={t('clinical.score')}
          value={id}
          choices={[
            ...scores.map((each) => ({ value: each.id, label: each.name })),
            { value: measurement, label: t('clinical.measurement') },
          ]}
          onValue={(value) => {
            setId(value);
            const read = readReport(value);
            setFilled(read);
            setAnswers(read);
          }}
        />
        {Object.keys(filled).length > 0 && <p class="field-note">{t('clinical.score_filled')}</p>}
        {score ? (
          <Questions key={id} score={score} answers={answers} onAnswers={setAnswers} />
        ) : (
          <Axes key={id} answers={answers} onAnswers={setAnswers} />
        )}
        <p class="field-note">
          {title === undefined ? t('clinical.insert_none') : t('clinical.insert_into', { section: title })}
          {score && ` ${t('clinical.score_source', { source: score.source })}`}
        </p>
      </form>
    </Dialog>
  );
}

interface Asking {
  readonly answers: Answers;
  readonly onAnswers: (answers: Answers) => void;
}

function Questions({ score, answers, onAnswers }: Asking & { score: Score }) {
  const language = shownLanguage();
  const counted = applicableAnswers(score, answers);
  return (
    <>
      {applicableQuestions(score, counted).map((question) => (
        <Answer
          key={question.key}
          question={question}
          language={language}
          value={answers[question.key]}
          onValue={(value) => onAnswers({ ...answers, [question.key]: value })}
        />
      ))}
    </>
  );
}

function Answer({
  question,
  language,
  value,
  onValue,
}: {
  question: Question;
  language: Language;
  value: Answers[string];
  onValue: (value: Answers[string]) => void;
}) {
  const label = question.label[language];
  if (question.kind === 'number')
    return (
      <NumberField
        label={`${label} (mm)`}
        max={question.max}
        initial={typeof value === 'number' ? value : undefined}
        onValue={onValue}
      />
    );
  if (question.kind === 'one')
    return (
      <Select
        label={label}
        value={typeof value === 'string' ? value : ''}
        choices={[
          { value: '', label: t('clinical.score_choose') },
          ...question.choices.map((each) => ({ value: each.value, label: each.label[language] })),
        ]}
        onValue={(chosen) => onValue(chosen === '' ? undefined : chosen)}
      />
    );
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <fieldset class="clinical-several">
      <legend>{label}</legend>
      {question.choices.map((each) => (
        <label class="check" key={each.value}>
          <input
            type="checkbox"
            checked={chosen.includes(each.value)}
            onChange={(event) =>
              onValue(
                event.currentTarget.checked ? [...chosen, each.value] : chosen.filter((other) => other !== each.value),
              )
            }
          />
          <span>{each.label[language]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A number with a decimal point or comma. */
function NumberField({
  label,
  max,
  initial,
  onValue,
}: {
  label: string;
  max: number;
  /** The value that the report already has. */
  initial?: number | undefined;
  onValue: (value: number | undefined) => void;
}) {
  const [text, setText] = useState(() => initial?.toLocaleString(shownLanguage(), { useGrouping: false }) ?? '');
  const isRight = text.trim() === '' || parseNumber(text, max) !== undefined;
  return (
    <TextField
      label={label}
      value={text}
      verbatim
      error={isRight ? undefined : t('clinical.number_wrong', { most: max })}
      onValue={(typed) => {
        setText(typed);
        onValue(parseNumber(typed, max));
      }}
    />
  );
}

function parseNumber(text: string, max: number): number | undefined {
  if (!/^\s*\d{1,5}([.,]\d{1,3})?\s*$/.test(text)) return undefined;
  const value = Number(text.trim().replace(',', '.'));
  return value <= max ? value : undefined;
}

const axes = ['a', 'b', 'c'] as const;
const maxMillimetres = 1000;
const maxDays = 36_500;

/** Two or three axes, and those of a prior measurement. */
function Axes({ answers, onAnswers }: Asking) {
  const put = (key: string) => (value: number | undefined) => onAnswers({ ...answers, [key]: value });
  return (
    <>
      <div class="clinical-axes">
        {axes.map((axis, at) => (
          <NumberField
            key={axis}
            label={`${t('clinical.axis', { n: at + 1 })} (mm)`}
            max={maxMillimetres}
            onValue={put(axis)}
          />
        ))}
      </div>
      <div class="clinical-axes">
        {axes.map((axis, at) => (
          <NumberField
            key={axis}
            label={`${t('clinical.prior_axis', { n: at + 1 })} (mm)`}
            max={maxMillimetres}
            onValue={put(`prior_${axis}`)}
          />
        ))}
      </div>
      <NumberField label={t('clinical.days')} max={maxDays} onValue={put('days')} />
    </>
  );
}

function measured(answers: Answers, language: Language): string | undefined {
  const axesOf = (prefix: string): number[] =>
    axes.flatMap((axis) => {
      const value = answers[`${prefix}${axis}`];
      return typeof value === 'number' && value > 0 ? [value] : [];
    });
  const [now, before] = [axesOf(''), axesOf('prior_')];
  if (now.length < 2) return undefined;
  const days = typeof answers['days'] === 'number' ? answers['days'] : 0;
  return measurementLine({ axes: now }, before.length < 2 ? undefined : { axes: before, days }, language);
}

/** The current or last caret in the text of a section. */
export interface Caret {
  readonly section: string;
  readonly start: number;
  readonly end: number;
}
