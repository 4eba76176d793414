/** The services that Laudio uses or offers, by their SOP classes (PS3.4, PS3.6 annex A). */
export const sopClasses = {
  verification: '1.2.840.10008.1.1',
  worklist: '1.2.840.10008.5.1.4.31',
  performedStep: '1.2.840.10008.3.1.2.3.3',
  findStudies: '1.2.840.10008.5.1.4.1.2.2.1',
  moveStudies: '1.2.840.10008.5.1.4.1.2.2.2',
  getStudies: '1.2.840.10008.5.1.4.1.2.2.3',
  encapsulatedPdf: '1.2.840.10008.5.1.4.1.1.104.1',
  basicTextSr: '1.2.840.10008.5.1.4.1.1.88.11',
  enhancedSr: '1.2.840.10008.5.1.4.1.1.88.22',
  comprehensiveSr: '1.2.840.10008.5.1.4.1.1.88.33',
  comprehensive3dSr: '1.2.840.10008.5.1.4.1.1.88.34',
} as const;

/** Classes of the objects in which an archive holds reports. */
export const reportClasses: readonly string[] = [
  sopClasses.basicTextSr,
  sopClasses.enhancedSr,
  sopClasses.comprehensiveSr,
  sopClasses.comprehensive3dSr,
  sopClasses.encapsulatedPdf,
];

/** Names of classes, as in the tables of DICOM. */
export const classNames: Readonly<Record<string, string>> = {
  [sopClasses.worklist]: 'Modality Worklist',
  [sopClasses.findStudies]: 'Study Root Query (C-FIND)',
  [sopClasses.moveStudies]: 'Study Root Retrieve (C-MOVE)',
  [sopClasses.getStudies]: 'Study Root Retrieve (C-GET)',
  [sopClasses.encapsulatedPdf]: 'Encapsulated PDF',
  [sopClasses.basicTextSr]: 'Basic Text SR',
  [sopClasses.enhancedSr]: 'Enhanced SR',
};
