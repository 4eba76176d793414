import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const vocabulary = {
  title: 'Vocabulary',
  list: 'Words of the vocabulary',
  search: 'Search words',
  search_label: 'Search words',
  new: 'New word',
  unnamed: 'New word',
  no_match: 'No words found',
  too_old: 'This server has no vocabulary',
  back: 'All words',
  write: 'Always write',
  write_hint: 'Exactly as it should be in reports. Names of patients do not belong here.',
  for: 'For',
  for_hint: 'What comes out instead, one a line. Empty: what sounds like it.',
  none: 'No words yet',
  none_hint: 'Names, drugs and terms that come out misspelled: write here once how they are spelled.',
  choose: 'Choose a word',
  not_read: 'The vocabulary cannot be loaded now',
  not_like_that:
    'It cannot be written like that: at most eight words, with the same numbers, sides and negations in both.',
  taken: 'The word, or one of its forms, is in the vocabulary already: “{name}”. Change that one.',
  conflict: 'Somebody else changed this word',
  gone: 'Somebody else deleted this word',
  old_login: 'Your login may not change the vocabulary: you can read it. Log in again to change it.',
  too_many: 'There is no room for more words. Delete some that are not used.',
  count: { one: '{n} word', other: '{n} words' },
} as const satisfies Wordings;
