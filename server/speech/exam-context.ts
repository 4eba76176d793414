/** The facts of the exam. They help recognition and fill in the section on technique. */
export interface ExamContext {
  /** The name in everyday spelling, not in DICOM's. */
  readonly patient_name: string;
  readonly modality: string;
  readonly exam_description: string;
  readonly patient_sex?: string | null;
  readonly patient_age?: string | null;
}
