/** The forms of instructions, as patterns that are the same in every language; their words are in the tables. */

export type InstructionKind =
  | 'replace'
  | 'delete'
  | 'insert_before'
  | 'insert_after'
  | 'insert_sentence_before'
  | 'insert_sentence_after'
  | 'insert_between'
  | 'append'
  | 'prepend'
  | 'rewrite'
  | 'clear'
  | 'insert_passage_before'
  | 'insert_passage_after'
  | 'delete_passage'
  | 'replace_passage'
  | 'exchange_passage'
  | 'move_passage'
  | 'move_first'
  | 'copy_passage'
  | 'insert_item'
  | 'move_item'
  | 'swap_items'
  | 'delete_items'
  | 'change_word'
  | 'change_value'
  | 'change_level'
  | 'change_category'
  | 'change_like'
  | 'fill'
  | 'undo';

/**
 * Braces hold words of the language; angle brackets hold slots: the report has `<what>` and `<anchor>`, `<by>` and
 * `<text>` are added to it, `<section>` is the name of a section, and `<word>`, `<value>`, `<category>`, `<nth>` and
 * `<field>` are what they are called; `<passage>` is a sentence or an item (`passages`), and `<target>` the section to
 * which it goes. The first pattern that fits, and whose words the report has, decides.
 */
export const patterns: readonly (readonly [kind: InstructionKind, pattern: string])[] = [
  ['undo', '{undo}'],
  ['undo', '{undo} {change}'],
  ['undo', '{delete} {change}'],
  ['undo', '{oops} {undo}'],
  ['undo', '{oops} {undo} {change}'],
  ['undo', '{oops} {delete} {change}'],
  ['swap_items', '{swap} {item} <nth> {and} <other>'],
  ['swap_items', '{swap} {item} <nth> {and} {item} <other>'],
  ['swap_items', '{swap} <nth> {and} <other> {item}'],
  ['move_item', '{move} <passage> {top}'],
  ['move_first', '{move} <passage> {top}'],
  ['move_first', '{move} <passage> {beginning} <target>'],
  ['move_passage', '{move} <passage> {bottom}'],
  ['insert_item', '{add} {item} <nth> <text>'],
  ['delete_items', '{delete} {item} <nth> {and} <other>'],
  ['delete_items', '{delete} {item} <nth> {and} {item} <other>'],
  ['delete_passage', '{delete} <passage>'],
  ['replace_passage', '{replace} <passage> {by} <text>'],
  ['replace_passage', '<passage> {becomes} <text>'],
  ['exchange_passage', '{delete} <passage> {and} {add} <text>'],
  ['replace_passage', '{instead} <passage> {put} <text>'],
  ['move_passage', '{move} <passage> {to} <target>'],
  ['copy_passage', '{copy} <passage> {to} <target>'],
  ['insert_passage_before', '{add} <text> {before} <passage>'],
  ['insert_passage_after', '{add} <text> {after} <passage>'],
  ['insert_passage_before', '{add} {line} {before} <passage> <text>'],
  ['insert_passage_after', '{add} {line} {after} <passage> <text>'],
  ['insert_passage_before', '{add} {before} <passage> <text>'],
  ['insert_passage_after', '{add} {after} <passage> <text>'],
  ['insert_passage_before', '{before} <passage> {add} <text>'],
  ['insert_passage_after', '{after} <passage> {add} <text>'],
  ['clear', '{delete} {whole} <section>'],
  ['clear', '{delete} <section>'],
  ['rewrite', '{replace} {whole} <section> {by} <text>'],
  ['rewrite', '{replace} <section> {by} <text>'],
  ['rewrite', '{rewrite} <section> {as} <text>'],
  ['rewrite', '{rewrite} <section> <text>'],
  ['rewrite', '<section> {becomes} <text>'],
  ['fill', '{fill} {with} <text>'],
  ['fill', '{fill} <field> {with} <text>'],
  ['fill', '{replace} <field> {by} <text>'],
  ['fill', '<field> {is} <text>'],
  ['fill', '<text>'],
  ['change_word', '{replace} {side} {by} <word>'],
  ['change_word', '{replace} {side} {of} <what> {by} <word>'],
  ['change_word', '{side} {is} <word>'],
  ['change_word', '{side} {of} <what> {is} <word>'],
  ['change_word', '<what> {is} <word>'],
  ['change_word', '{make} <word>'],
  ['change_category', '{replace} <category> {by} <text>'],
  ['change_category', '{replace} {by} <category>'],
  ['change_category', '{put} <category>'],
  ['change_category', '{is} <category>'],
  ['change_category', '<category> {is} <text>'],
  ['change_level', '{replace} {level} {by} <value>'],
  ['change_level', '{replace} {level} {of} <what> {by} <value>'],
  ['change_level', '{level} {is} <value>'],
  ['change_level', '{level} {of} <what> {is} <value>'],
  ['change_value', '{replace} {size} {by} <value>'],
  ['change_value', '{replace} {size} {of} <what> {by} <value>'],
  ['change_value', '{replace} <what> {size} {by} <value>'],
  ['change_value', '{size} {is} <value>'],
  ['change_value', '{size} {of} <what> {is} <value>'],
  ['change_value', '<what> {is} <value>'],
  ['change_value', '{make} <value>'],
  ['change_like', '{make} <by>'],
  ['replace', '{replace} {mention} <what> {by} <by>'],
  ['replace', '{replace} <what> {by} <by>'],
  ['replace', '{where} <what> {read} <by>'],
  ['replace', '{said} <what> {but} <by>'],
  ['replace', '{put} <by> {instead} <what>'],
  ['replace', '{put} <by> {not} <what>'],
  ['replace', '{instead} <what> {put} <by>'],
  ['replace', '{delete} <what> {and} {inPlace} {put} <by>'],
  ['replace', '{delete} <what> {and} {put} {inPlace} <by>'],
  ['replace', '{delete} <what> {and} {put} <by> {inPlace}'],
  ['replace', '<by> {instead} <what>'],
  ['insert_before', '{add} <text> {before} <anchor>'],
  ['insert_after', '{add} <text> {after} <anchor>'],
  ['insert_before', '{add} {before} <anchor> {that} <text>'],
  ['insert_after', '{add} {after} <anchor> {that} <text>'],
  ['insert_before', '{before} <anchor> {add} <text>'],
  ['insert_after', '{after} <anchor> {add} <text>'],
  ['insert_between', '{between} <anchor> {and} <other> {add} <text>'],
  ['insert_between', '{add} <text> {between} <anchor> {and} <other>'],
  ['insert_sentence_before', '{add} {before} <anchor> <text>'],
  ['insert_sentence_after', '{add} {after} <anchor> <text>'],
  ['prepend', '{add} {beginning} <section> <text>'],
  ['prepend', '{add} <text> {beginning} <section>'],
  ['prepend', '{beginning} <section> {add} <text>'],
  ['append', '{add} {end} <section> <text>'],
  ['append', '{add} <text> {end} <section>'],
  ['append', '{end} <section> {add} <text>'],
  ['append', '{add} {line} {to} <section> {that} <text>'],
  ['append', '{add} {line} {that} <text>'],
  ['append', '{add} {that} {to} <section> <text>'],
  ['append', '{add} {to} <section> {that} <text>'],
  ['append', '{add} {to} <section> <text>'],
  ['append', '{add} <text> {to} <section>'],
  ['append', '{add} {that} <text>'],
  ['append', '{add} <text>'],
  ['delete', '{delete} {mention} <what>'],
  ['delete', '{delete} <what>'],
];

/**
 * The forms of a passage, each with or without `{of} <section>` after it. `whole`: the words are a whole sentence; `bare`:
 * and nothing says so.
 */
export const passages = [
  ['last', '{last} {sentence}'],
  ['nth', '<nth> {sentence}'],
  ['nth', '{sentence} <nth>'],
  ['last_item', '{last} {item}'],
  ['item', '{item} <nth>'],
  ['item', '<nth> {item}'],
  ['about', '{sentence} {about} <what>'],
  ['about', '<what> {sentence}'],
  ['whole', '{sentence} <what>'],
  ['bare', '<what>'],
] as const;
export type PassageKind = (typeof passages)[number][0];

export type Slot =
  | 'what'
  | 'by'
  | 'text'
  | 'anchor'
  | 'section'
  | 'word'
  | 'value'
  | 'category'
  | 'nth'
  | 'other'
  | 'passage'
  | 'field'
  | 'target';
export type Element = { readonly words: string } | { readonly slot: Slot };

/** Parses a pattern into its elements. */
export const elementsOf = (pattern: string): Element[] =>
  pattern.split(' ').map((element) => {
    const name = element.slice(1, -1);
    return element.startsWith('{') ? { words: name } : { slot: name as Slot };
  });
