/** What is known of the exam: it helps recognition, and fills in the technique. */
export interface ExamContext {
  /** As a person writes the name. */
  readonly patient_name: string;
  readonly modality: string;
  readonly exam_description: string;
  readonly patient_sex?: string | null;
  readonly patient_age?: string | null;
}
