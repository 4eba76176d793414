/** Changes of others to an open report, and the steps in which the report came about. */
export const versions = {
  merged: '{who} changed this in the meantime: {sections}. Both changes are in the report.',
  merged_seen: 'I have read it',
  title_of_report: 'title',
  conflict_text: {
    one: 'You both changed the same section. Nothing is lost: which text should stay?',
    other: 'You both changed {n} sections. Nothing is lost: which texts should stay?',
  },
  gone: 'The section was removed.',
  both: 'Keep both and edit',
  steps: { one: 'one save', other: '{n} saves' },
  show_each: 'Each save',
  words: '{section} +{added} −{removed}',
  unchanged: 'no words changed',
} as const;
