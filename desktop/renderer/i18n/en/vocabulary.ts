import type { Messages } from '../message.ts';

export const vocabulary = {
  title: 'Vocabulary',
  list: 'Words of the vocabulary',
  search: 'Search words',
  search_label: 'Search words',
  new: 'New word',
  unnamed: 'New word',
  no_match: 'No word is like that',
  too_old: 'This service keeps no vocabulary',
  back: 'All words',
  write: 'Always write',
  write_hint: 'Just as it is to stand in reports. Names of patients do not belong here.',
  for: 'For',
  for_hint: 'What was heard instead, one a line. Empty: what sounds much like the word gives way to it.',
  none: 'No words yet',
  none_hint: 'Names, drugs and terms that come out misspelt: say once how they are written.',
  choose: 'Choose a word',
  not_read: 'The vocabulary cannot be read now',
  not_like_that:
    'It cannot be written like that: at most eight words, with the same numbers, sides and negations in both.',
  taken: 'The word, or one of its forms, is in the vocabulary already: “{name}”. Change that one.',
  conflict: 'Somebody else changed this word',
  gone: 'Somebody else deleted this word',
  old_login: 'Your login may not change the vocabulary: you can read it. Log in again to change it.',
  too_many: 'There is no room for more words. Delete some that nobody uses.',
  count: { one: '{n} word', other: '{n} words' },
} as const satisfies Messages;
