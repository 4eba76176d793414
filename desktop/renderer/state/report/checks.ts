/**
 * Checks a draft while somebody types, by the checks that the service uses. Their code is loaded when a draft is first
 * seen.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { CheckInput } from '../../../../src/domain/report/checks/check.ts';
import type { Exam } from '../../../../src/domain/report/checks/exam.ts';
import type { Finding } from '../../../../src/domain/report/checks/finding.ts';

/** The checks are large, and nobody waits for them. */
const loadChecks = () => import('../../../../src/domain/report/checks/check.ts');
type Checks = Awaited<ReturnType<typeof loadChecks>>;

export interface Checked {
  /** The report as the service has it. */
  readonly record: ReadonlySignal<MedicalRecord | null>;
  /** The words on the screen. */
  readonly sections: ReadonlySignal<readonly Section[]>;
  /** The exam; `null` if the page does not know it. */
  readonly exam: () => Exam | null;
}

/** The findings of a draft, in its order; none of a signed report, and none before the checks are loaded. */
export function followChecks({ record, sections, exam }: Checked) {
  const checks = signal<Checks | null>(null);
  let loading: Promise<void> | undefined;
  const close = effect(() => {
    if (record.value?.status !== 'draft') return;
    loading ??= loadChecks().then(
      (loaded) => void (checks.value = loaded),
      // The next version loads them again.
      () => (loading = undefined),
    );
  });
  /** What a draft is checked against, as JSON: most versions, and most changes of the worklist, leave it unchanged. */
  const input = computed(() => {
    if (record.value?.status !== 'draft') return null;
    const { language, transcript, sections: saved } = record.value;
    const { modality, exam_description, patient_sex, patient_age } = exam() ?? {};
    return JSON.stringify({
      language,
      template: saved.map(({ key, title }) => ({ key, title })),
      heard: transcript === null ? null : { text: transcript },
      exam: modality === undefined ? null : { modality, exam_description, patient_sex, patient_age },
    });
  });
  const check = computed(() =>
    checks.value && input.value !== null ? checks.value.prepareChecks(JSON.parse(input.value) as CheckInput) : null,
  );
  const findings = computed((): readonly Finding[] =>
    (check.value?.(sections.value) ?? []).filter(({ severity }) => severity !== 'info'),
  );
  return { findings, close };
}
