/** Facts about the exam that help recognition and fill in the technique section. */
export interface ExamContext {
  /** In everyday spelling, not DICOM's. */
  readonly patient_name: string;
  readonly modality: string;
  readonly exam_description: string;
  readonly patient_sex?: string | null;
  readonly patient_age?: string | null;
  /** They choose the template (src/domain/procedure-codes.ts). */
  readonly procedure_codes?: readonly string[];
}
