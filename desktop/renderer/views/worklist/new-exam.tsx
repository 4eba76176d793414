/** An exam that a person enters: where no RIS sends it, or it is late. It is sent as a worklist file of one exam. */
import { useSignal } from '@preact/signals';
import { modalityCodes } from '../../../../src/contract/modalities.ts';
import type { WorklistItem, WorklistItemInput } from '../../../../src/contract/worklist.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DateField, Select, TextField } from '../../parts/field.tsx';
import { Banner } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { errorParagraph } from '../../state/explain.ts';
import { openItem } from '../../state/route.ts';
import { localMinute } from '../../state/time/local-minute.ts';
import { now } from '../../state/time/now.ts';
import { importWorklist, isAddingExam, items } from '../../state/worklist/worklist.ts';
import { reasonWords } from './import-words.ts';

/** The common modalities of radiology, which come first. */
const common = ['CT', 'MR', 'CR', 'DX', 'US', 'MG', 'NM', 'PT', 'XA', 'RF'] as const;
const modalities = [...common, ...modalityCodes.filter((code) => !(common as readonly string[]).includes(code))];

const blank = { patient_name: '', patient_id: '', accession_number: '', modality: 'CT', exam_description: '' };
type Fields = typeof blank;

export function NewExam() {
  const close = (): void => void (isAddingExam.value = false);
  return (
    <Dialog open={isAddingExam.value} size="m" title={t('worklist.new_exam')} onClose={close}>
      <NewExamForm onDone={close} />
    </Dialog>
  );
}

function NewExamForm({ onDone }: { onDone: () => void }) {
  const fields = useSignal<Fields>(blank);
  const time = useSignal(localMinute(now.peek()));
  const birth = useSignal('');
  const isTried = useSignal(false);
  const isBusy = useSignal(false);
  const error = useSignal<string | null>(null);
  const values = fields.value;
  const isKnown = findExam(values.accession_number.trim()) !== undefined;
  const explainField = (name: keyof Fields): string | undefined => {
    if (name === 'accession_number' && isKnown) return t('worklist.new_known');
    return isTried.value && values[name].trim() === '' ? t('worklist.new_needed') : undefined;
  };
  const send = async (): Promise<void> => {
    isTried.value = true;
    const isWhole = Object.values(values).every((value) => value.trim() !== '') && time.value !== '' && !isKnown;
    if (!isWhole || isBusy.peek()) return;
    isBusy.value = true;
    error.value = await addExam({
      ...(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as Fields),
      exam_datetime: new Date(time.value).toISOString(),
      ...(birth.value !== '' && { patient_birth_date: birth.value }),
    });
    isBusy.value = false;
    if (error.value === null) onDone();
  };
  const field = (name: keyof Fields, label: string, isVerbatim: boolean) => (
    <TextField
      label={label}
      error={explainField(name)}
      value={values[name]}
      verbatim={isVerbatim}
      autocomplete="off"
      maxLength={name === 'exam_description' ? 200 : 64}
      onValue={(value) => (fields.value = { ...fields.peek(), [name]: value })}
    />
  );
  return (
    <form
      class="new-exam"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {error.value !== null && (
        <Banner tone="warn" icon="warn" alert>
          {error.value}
        </Banner>
      )}
      {field('patient_name', t('worklist.new_patient'), true)}
      {field('patient_id', t('exam.patient_id'), true)}
      <DateField
        label={t('worklist.new_birth')}
        type="date"
        value={birth.value}
        onValue={(value) => (birth.value = value)}
      />
      {field('accession_number', t('worklist.new_accession'), true)}
      <Select
        label={t('worklist.new_modality')}
        value={values.modality}
        choices={modalities.map((value) => ({ value, label: value }))}
        onValue={(modality) => (fields.value = { ...fields.peek(), modality })}
      />
      {field('exam_description', t('worklist.new_description'), false)}
      <DateField
        label={t('worklist.new_time')}
        type="datetime-local"
        value={time.value}
        error={isTried.value && time.value === '' ? t('worklist.new_needed') : undefined}
        onValue={(value) => (time.value = value)}
      />
      <div class="new-exam-foot">
        <Button kind="primary" type="submit" busy={isBusy.value}>
          {t('worklist.new_add')}
        </Button>
        <Button onClick={onDone}>{t('app.cancel')}</Button>
      </div>
    </form>
  );
}

/** The exam of the list with that accession number. */
const findExam = (accession: string): WorklistItem | undefined =>
  [...(items.value?.values() ?? [])].find((item) => item.accession_number === accession);

/** Sends the exam and opens it. Returns why it was refused, or `null`. */
async function addExam(exam: WorklistItemInput & Fields): Promise<string | null> {
  try {
    const { refused, stopped } = await importWorklist(
      new TextEncoder().encode(JSON.stringify({ items: [exam] })).buffer,
    );
    const [remark] = refused.first;
    if (stopped) return errorParagraph(stopped);
    if (remark) return reasonWords(remark);
  } catch (thrown) {
    return errorParagraph(asBridgeError(thrown));
  }
  const added = findExam(exam.accession_number);
  if (added) openItem(added.id);
  return null;
}
