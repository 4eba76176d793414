/** What to look at before signing, by the checks of the service, while somebody types. Their words come when a draft is seen. */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { CheckInput } from '../../../../src/domain/report/checks/check.ts';
import type { Exam } from '../../../../src/domain/report/checks/exam.ts';
import type { Finding } from '../../../../src/domain/report/checks/finding.ts';

/** The checks themselves are of some size, and nobody waits for them. */
const loadChecks = () => import('../../../../src/domain/report/checks/check.ts');
type Checks = Awaited<ReturnType<typeof loadChecks>>;

export interface Checked {
  /** The report as the service has it. */
  readonly record: ReadonlySignal<MedicalRecord | null>;
  /** Its words as they stand on the screen. */
  readonly sections: ReadonlySignal<readonly Section[]>;
  /** `null` where nothing is known of the exam. */
  readonly exam: () => Exam | null;
}

/** Findings of a draft, in its order; none of a signed report, nor before the checks are there. */
export function followChecks({ record, sections, exam }: Checked) {
  const checks = signal<Checks | null>(null);
  let loading: Promise<void> | undefined;
  const close = effect(() => {
    if (record.value?.status !== 'draft') return;
    loading ??= loadChecks().then(
      (loaded) => void (checks.value = loaded),
      // They are asked for again with the next version.
      () => (loading = undefined),
    );
  });
  /** What a draft is checked against, as JSON: most versions leave it as it was, and so do most changes of the worklist. */
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
