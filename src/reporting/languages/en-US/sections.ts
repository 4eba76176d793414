/** Section names in English. */
import type { SectionTables } from '../tables.ts';

export const sections: SectionTables = {
  titles: {
    notice: 'Notice',
    patient: 'Patient',
    indication: 'Indication',
    history: 'History',
    technique: 'Technique',
    comparison: 'Comparison',
    measurements: 'Measurements',
    findings: 'Findings',
    examination: 'Examination',
    impression: 'Impression',
    diagnosis: 'Diagnosis',
    plan: 'Plan',
    recommendations: 'Recommendations',
    addendum: 'Addendum',
  },
  names: {
    notice: 'notice:',
    patient: 'patient:, patient name:',
    indication: `
      indication, indications, clinical indication, reason for exam, reason for the exam, reason for examination,
      reason for study, reason for the study, clinical information, reason:
    `,
    history: `
      history:, subjective:, clinical history, medical history:, history of present illness, chief complaint, past medical history:
    `,
    technique: 'technique, examination technique, procedure:, method:, protocol:',
    comparison: 'comparison, comparisons, comparison study, prior studies:, prior study:',
    measurements: 'measurements, parameters:, biometry:',
    findings: 'findings, finding:, description:, results:, report:, result:',
    examination: `
      physical examination, physical exam, skin examination, skin exam, dermatological examination,
      dermatologic examination, objective:, on examination, on exam, examination:, exam:
    `,
    impression:
      'impression, impressions, conclusion, conclusions, diagnostic impression, opinion, summary:, interpretation:',
    diagnosis:
      'diagnosis:, assessment, assessment and plan, assessment and recommendations, differential diagnosis:, final diagnosis, diagnoses:',
    plan: 'plan:, treatment plan, management:, treatment:',
    recommendations: 'recommendation, recommendations, suggestion:, suggestions:, follow up recommendation',
    addendum: 'addendum',
  },
  assessments: '',
  continuations: `
    of in on at with that which and or for from to by as is are was were be been being has have had may might can
    could should would will suggest suggests suggesting indicate indicates include includes including show shows
    demonstrate demonstrates reveal reveals remain remains appear appears represent represents reflect reflects above
    below described noted seen performed used today made favor favors discussed reported communicated given discussion
    not also support supports most correspond corresponds raise raises meet meets match matches fit fits point points relate
    relates warrant warrants require requires argue confirm confirms persist resemble mimic exclude imply constitute
    account mean means do did does make call lead leads concern coincide overlap explain predominate involve correlate correlates upon regarding therein
  `,
  verbEndings: '',
  notVerbs: '',
  agreeing: {},
  predicates: `
    benign malignant acute chronic typical atypical characteristic diagnostic pathognomonic nonspecific incidental
    inconclusive postoperative degenerative inflammatory reassuring limited
  `,
  attributes: `
    limited degraded nonspecific
    consistent compatible concerning worrisome suspicious likely favored related similar unchanged stable suggestive
  `,
  next: 'next field, next section, go to next field, go to next section',
  previous: 'previous field, previous section, last field',
  goTo: 'go to, go to the, go to section, section, field, move to, jump to, under, heading, new section',
};
