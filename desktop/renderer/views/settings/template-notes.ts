/** Differences between a template and its file, in the language of the page. */
import type { NoteKind } from '../../../../src/reporting/templates/notes.ts';
import type { ReadTemplate } from '../../../bridge/reference.ts';
import { t } from '../../i18n/index.ts';

type Note = ReadTemplate['notes'][number];
type Values = Note['values'];

const fieldOf = ({ field }: Values): string => field || t('settings.note_field');
const what = ({ what: words = '' }: Values): { what: string } => ({ what: words });

const words: Readonly<Record<NoteKind, (values: Values) => string>> = {
  script: () => t('settings.note_script'),
  handlers: ({ n }) => t('settings.note_handlers', { n: Number(n) }),
  picture: (values) => t('settings.note_picture', what(values)),
  link: () => t('settings.note_link'),
  hint: (values) => t('settings.note_hint', what(values)),
  other_words: () => t('settings.note_other_words'),
  button: () => t('settings.note_button'),
  field_type: (values) => t('settings.note_field_type', what(values)),
  preselected: (values) => t('settings.note_preselected', { field: fieldOf(values) }),
  several: (values) => t('settings.note_several', { field: fieldOf(values) }),
  long_options: (values) => t('settings.note_long_options', { field: fieldOf(values), ...what(values) }),
  bounds: (values) => t('settings.note_bounds', { field: fieldOf(values), ...what(values) }),
  blank: (values) => t('settings.note_blank', { field: fieldOf(values) }),
  merge_field: (values) => t('settings.note_merge_field', what(values)),
  patient: ({ section = '' }) => t('settings.note_patient', { section }),
  same_section: ({ section = '', other = '' }) => t('settings.note_same_section', { section, other }),
  states: ({ section = '', macro = '' }) => t('settings.note_states', { section, macro }),
  macros: ({ n = '', kept = '' }) => t('settings.note_macros', { all: n, kept }),
  language: (values) => t('settings.note_language', what(values)),
  modality: () => t('settings.note_modality'),
  region: () => t('settings.note_region'),
};

export const noteWords = ({ kind, values }: Note): string => words[kind](values);
