/** Requested Procedure Priority (DICOM 0040,1003), the most urgent first. */
export const priorityTerms = ['STAT', 'HIGH', 'MEDIUM', 'ROUTINE', 'LOW'] as const;
export type PriorityTerm = (typeof priorityTerms)[number];
