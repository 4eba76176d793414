/** What a person reads of a finding, in English. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'The side or position “{written}” was not said; “{said}” was.',
  'side_not_said.alone': '“{written}” was not said.',
  side_lost: '“{said}” was said and is not in the report.',
  side_differs_from_exam: 'The report says “{written}”, and the exam is “{exam}”.',
  side_differs_between_sections: '“{written}” here and “{other}” in another section.',
  'negation_changed.lost': 'A negation that was said (“{said}”) is not in the report.',
  'negation_changed.added': 'A negation (“{written}”) that was not said.',
  contradiction: 'The same finding is affirmed and denied: “{written}” and “{other}”.',
  number_changed: 'The report says “{written}”; “{said}” was said.',
  'number_changed.lost': '“{said}” was said and is not in the report.',
  'number_changed.alone': '“{written}” was not said.',
  unit_changed: 'The unit is “{written}”; “{said}” was said.',
  unit_implausible: '“{written}” is implausible here; are the unit and the decimal point right?',
  measure_differs_between_sections: '“{written}” here and “{other}” in another section.',
  sex_implausible: '“{written}” does not fit the patient’s sex in the exam.',
  age_implausible: '“{written}” does not fit the patient’s age in the exam ({exam}).',
  exam_mismatch: '“{written}” does not fit the exam (“{exam}”).',
  section_missing: 'The section “{section}”, which the template requires, is missing.',
  section_empty: 'The section “{section}” is empty.',
  impression_not_supported: '“{written}” is in the impression, but not in the findings.',
  critical_not_communicated: '“{written}” is a critical finding; no communication is described.',
  unsaid: 'This text came from the template or the exam; nobody said it.',
  low_confidence: 'The recogniser was not sure of “{written}”.',
  unclear: '“{written}” can be read in more than one way; it stays as it was said.',
};
