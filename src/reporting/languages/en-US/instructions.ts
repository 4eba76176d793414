/** English phrases of instructions. */
import type { InstructionTables } from '../tables.ts';

export const instructions: InstructionTables = {
  words: {
    report: 'report, the report, document, the document',
    fill: 'fill, fill in, fill out, complete, set',
    with: 'with, as, to, by, is',
    field: 'the field, field, the field for, field for, the blank, blank',
    replace: 'replace, change, correct, exchange, substitute, modify, switch, swap, update, revise, edit, fix, set',
    by: 'with the following, by the following, to the following, with, by, to, for, to be, to read, to say, as',
    delete: 'delete, remove, erase, strike, take out, get rid of, omit, cut, drop, clear, scratch, strike out',
    add: 'add, insert, append, include, put, write, type, note, place, add that, state, new sentence, new line, put in, add in, say',
    put: `
      it's, it’s, I meant, I mean, put, write, use, say, it should say, it should be, it should read, should be, make it, this should be,
      it is, read
    `,
    rewrite: 'rewrite, rephrase, reword, redo, make',
    as: 'as, to, with, to read, say, to say, read',
    becomes:
      'should read, should be, should say, is now, becomes, must read, needs to read, should now read, will be, should state, reads',
    make: `that should be, this should be, that is, that's, that’s, make it, it's, it’s, make that, change it to, change to, set it to, correct it to, it should be, it is, this is`,
    is: `
      is, are, is actually, are actually, should be, measures, measure, should measure, actually measures, is really, must be,
      was, is located, lies
    `,
    not: `not, and not, is not, isn't, isn’t, it's not, it’s not, rather than`,
    undo: `
      undo, revert, go back, take back, roll back, reverse, cancel, scratch, strike, restore, never mind, nevermind, forget, disregard,
      ignore, put back, change back, take that back, take it back, put it back, put that back, change it back, change that back,
      set it back, roll it back, roll that back, bring it back, back up, go back one step, one step back
    `,
    change: `
      that, it, this, that change, this change, the change, that one, the last change, last change, my last change, the last edit,
      last edit, my last edit, that edit, the last correction, last correction, my last correction, that correction, the correction,
      the last instruction, last instruction, my last instruction, that instruction, the last command, last command, that command,
      the previous change, the previous instruction, the previous correction, the previous version, the last version,
      the last thing I said, what I said, what I just said, what you did, what you just did, what I did, change,
      to the previous version, to the last version, to what it was, the way it was, to how it was, to before
    `,
    oops: 'no, nope, wait, no wait, oops, sorry, ok, okay, oh no, actually, hold on, hang on, stop',
    but: `but it's, but it’s, but it is, but it should be, but I meant, but, but rather, it is, it's, it’s, it should be`,
    last: 'the last, last, the final, final',
    sentence: 'sentence, line, statement, the sentence, the line, the statement, phrase, the phrase',
    of: 'of, in, from, of the, in the, from the, from section, in section',
    about:
      'about, about the, on, on the, mentioning, mentioning the, regarding, regarding the, with, containing, that says, that mentions, concerning, stating, describing, describing the, which says, that says the',
    whole:
      'the whole, the entire, all of the, whole, entire, the text of the, the content of the, the contents of the, the text of, the complete',
    mention:
      'the mention of, mention of, any mention of, the word, the words, the phrase, the term, the terms, words, term, the reference to, word, phrase, the text',
    side: 'the side, side, the laterality, laterality, the correct side',
    size: `
      the date, date, 
      the size, size, the measurement, measurement, the measurements, measurements, the dimension, the dimensions, dimensions, the
      diameter, diameter, the thickness, thickness, the volume, volume, the value, value
    `,
    where: 'where it says, where i said, where it reads, where there is, instead of saying, where it is written',
    read: 'it should say, it should read, it should be, put, write, say, should be, read, should read, should say, change it to, make it, change to, replace it with, I meant, I mean, I meant to say',
    instead: 'instead of, rather than, in place of, and not, in lieu of',
    before: 'before, before the, ahead of, in front of, in front of the, before the word, prior to',
    after: 'after, after the, following, behind, after the word, following the, right after',
    beginning: `
      at the beginning of, at the beginning of the, at the start of, at the start of the, to the beginning of, to the beginning of the,
      to the start of the, to the top of the, at the top of the, as the first sentence of the, as the first line of the
    `,
    end: 'at the end of, at the end of the, to the end of, to the end of the, as the last sentence of the, at the bottom of the',
    to: 'to, to the, in, in the, into, into the, under, under the, to section, in section, on the, for the',
    item: 'item, the item, items, the items, item number, items number, number, numbers, point, points, the points, point number',
    between: 'between',
    inPlace: 'instead, in its place, in place of it, there',
    at: 'at, at the, at level, at the level of, in the level of',
    and: 'and, with',
    swap: 'swap, switch, exchange, invert, reverse, interchange',
    top: 'to the top, to the top of the list, to the beginning, to the start, to first, first, to the first place, to number one',
    bottom: 'to the end, at the end, to the bottom, to the end of the list, last, to last, to the last place',
    level: 'the level, level, the levels, levels, the vertebra, the segment',
    move: 'move, transfer, put',
    copy: 'copy, duplicate',
    line: 'a line, a sentence, an item, a new line, a new sentence, a new item, another sentence, another line, another item, one more item',
    said: 'I said, I wrote, I put, it says, it reads, I dictated',
    that: 'that, saying, that says, stating, that states, reading, the following, the sentence, the text, the following sentence, the following text, the statement that',
  },
  polite:
    'okay, ok, could you please, can you please, could you, can you, would you, I want you to, I would like to, I want to, kindly, now, just, let us, can we, go ahead and',
  courtesies: 'please, thanks, thank you, thank you very much, thank you so much, thanks a lot, many thanks',
  then: 'and, and then, then, also, and also, next, after that',
  starts: `
    fill, fill in, where it says, take out, replace, change, correct, delete, remove, erase, add, insert, append, rewrite, substitute, undo, scratch, strike, put, modify,
    include, switch, swap, move, copy, fix, update, edit, revise, write, say, go back, exchange
  `,
  inSection: `
    in, in the, to the, into the, from, from the, under, under the, of, of the, for the, within the, in section, in the section, both in the,
    in both the, in both, as well as in the, as well as in, and in the, and in, throughout the, on the
  `,
  and: 'and, and the, and in the, and in, as well as, as well as the, as well as in the',
  all: 'all, every, each, all instances of, all occurrences of, every instance of, every occurrence of, all mentions of, all the',
  everywhere: `
    everywhere, throughout, throughout the report, throughout the document, in the whole report, in the entire report,
    in all sections, in every section, in the whole document, in the entire document, wherever it appears, every time,
    in all places, across the report, in both, in both sections, both times, in both places, both places
  `,
  also: 'too, also, as well, and also',
  only: 'only, but only, just, and only, but just',
  except: 'except, but not, not, instead, rather, unless, without, other than, and nothing else, nothing else',
  otherVerbs: `
    move, copy, paste, duplicate, capitalize, capitalise, bold, underline, italicize, highlight, format, spell, read, sign, save, send,
    print, export, finalize, merge, join, split, sort, reorder, repeat, show, open, close, stop, check, explain, summarize, translate,
    delete, remove, erase, undo, replace, change, add, insert, append
  `,
  articles: 'the a an',
  dangling: 'of in on at with without no not to and or the a an by for from is are was there',
  opening: 'no there',
  signs: 'evidence sign signs indication suggestion',
  nth: {
    first: 1,
    second: 2,
    third: 3,
    fourth: 4,
    fifth: 5,
    sixth: 6,
    seventh: 7,
    eighth: 8,
    'the first': 1,
    'the second': 2,
    'the third': 3,
    'the fourth': 4,
    'the fifth': 5,
    'second to last': -2,
    'the second to last': -2,
  },
  answers: {
    not_understood: 'The instruction was not understood; nothing was changed. What should be changed, and to what?',
    unclear: 'It is not clear how “{what}” should be written; nothing was changed. What should the sentence say?',
    unit: 'With “{what}” a number would lose its unit, or a unit its number; nothing was changed. Which number with which unit is meant?',
    not_found: '“{what}” is not in the report; nothing was changed.',
    several: '“{what}” is in {count} places. Which one?',
    negation: 'This would only take a negation away (“{what}”). Is the finding really to be affirmed?',
    which_section: 'In which section should “{what}” be written?',
    dangling: 'Without “{what}” the sentence would be incomplete. Should the whole sentence go?',
    signs: 'evidence sign signs indication suggestion',
    nothing: 'The report says so already; nothing was changed.',
    edited_since:
      'The same words were edited after the last instruction; nothing was changed. What should they say now?',
    nothing_to_undo:
      'No instruction has changed this report yet; nothing was changed. What should be changed or deleted?',
  },
};
