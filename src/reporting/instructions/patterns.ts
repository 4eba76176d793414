/** The forms of instructions, as patterns that are the same in every language; their words are in the tables. */

export type InstructionKind =
  | 'replace'
  | 'delete'
  | 'insert_before'
  | 'insert_after'
  | 'append'
  | 'prepend'
  | 'rewrite'
  | 'clear'
  | 'delete_sentence'
  | 'delete_last'
  | 'delete_nth'
  | 'delete_item'
  | 'replace_sentence'
  | 'move_sentence'
  | 'copy_sentence'
  | 'change_side'
  | 'change_number'
  | 'change_category'
  | 'fill'
  | 'undo';

/**
 * Braces hold words of the language; angle brackets hold slots: the report has `<what>` and `<anchor>`, `<by>` and
 * `<text>` are added to it, `<section>` is the name of a section, and `<side>`, `<measure>`, `<category>`, `<nth>` and
 * `<field>` are what they are called; `<target>` is the section to which a sentence goes. The first pattern that fits, and whose words the report has, decides.
 */
export const patterns: readonly (readonly [kind: InstructionKind, pattern: string])[] = [
  ['undo', '{undo}'],
  ['undo', '{undo} {change}'],
  ['undo', '{delete} {change}'],
  ['undo', '{oops} {undo}'],
  ['undo', '{oops} {undo} {change}'],
  ['undo', '{oops} {delete} {change}'],
  ['delete_last', '{delete} {last} {sentence}'],
  ['delete_last', '{delete} {last} {sentence} {of} <section>'],
  ['delete_nth', '{delete} <nth> {sentence}'],
  ['delete_nth', '{delete} <nth> {sentence} {of} <section>'],
  ['delete_item', '{delete} {item} <nth>'],
  ['delete_item', '{delete} {item} <nth> {of} <section>'],
  ['delete_item', '{delete} <nth> {item}'],
  ['delete_item', '{delete} <nth> {item} {of} <section>'],
  ['delete_sentence', '{delete} {sentence} {about} <what>'],
  ['delete_sentence', '{delete} <what> {sentence}'],
  ['replace_sentence', '{replace} {sentence} {about} <what> {by} <text>'],
  ['replace_sentence', '{replace} {last} {sentence} {by} <text>'],
  ['replace_sentence', '{replace} {last} {sentence} {of} <section> {by} <text>'],
  ['replace_sentence', '{replace} <nth> {sentence} {by} <text>'],
  ['replace_sentence', '{replace} <nth> {sentence} {of} <section> {by} <text>'],
  ['replace_sentence', '<nth> {sentence} {becomes} <text>'],
  ['replace_sentence', '<nth> {sentence} {of} <section> {becomes} <text>'],
  ['move_sentence', '{move} {last} {sentence} {to} <target>'],
  ['move_sentence', '{move} {last} {sentence} {of} <section> {to} <target>'],
  ['move_sentence', '{move} <nth> {sentence} {to} <target>'],
  ['move_sentence', '{move} <nth> {sentence} {of} <section> {to} <target>'],
  ['move_sentence', '{move} {sentence} {about} <what> {to} <target>'],
  ['copy_sentence', '{copy} {last} {sentence} {to} <target>'],
  ['copy_sentence', '{copy} {last} {sentence} {of} <section> {to} <target>'],
  ['copy_sentence', '{copy} <nth> {sentence} {to} <target>'],
  ['copy_sentence', '{copy} <nth> {sentence} {of} <section> {to} <target>'],
  ['copy_sentence', '{copy} {sentence} {about} <what> {to} <target>'],
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
  ['change_side', '{replace} {side} {by} <side>'],
  ['change_side', '{replace} {side} {of} <what> {by} <side>'],
  ['change_side', '{side} {is} <side>'],
  ['change_side', '{side} {of} <what> {is} <side>'],
  ['change_side', '<what> {is} <side>'],
  ['change_side', '{make} <side>'],
  ['change_category', '{replace} <category> {by} <text>'],
  ['change_category', '{replace} {by} <category>'],
  ['change_category', '{is} <category>'],
  ['change_category', '<category> {is} <text>'],
  ['change_number', '{replace} {size} {by} <measure>'],
  ['change_number', '{replace} {size} {of} <what> {by} <measure>'],
  ['change_number', '{replace} <what> {size} {by} <measure>'],
  ['change_number', '{size} {is} <measure>'],
  ['change_number', '{size} {of} <what> {is} <measure>'],
  ['change_number', '<what> {is} <measure>'],
  ['change_number', '{make} <measure>'],
  ['replace', '{replace} {mention} <what> {by} <by>'],
  ['replace', '{replace} <what> {by} <by>'],
  ['replace', '{where} <what> {read} <by>'],
  ['replace', '{put} <by> {instead} <what>'],
  ['replace', '{put} <by> {not} <what>'],
  ['replace', '{instead} <what> {put} <by>'],
  ['replace', '<by> {instead} <what>'],
  ['insert_before', '{add} <text> {before} <anchor>'],
  ['insert_after', '{add} <text> {after} <anchor>'],
  ['insert_before', '{add} {before} <anchor> {that} <text>'],
  ['insert_after', '{add} {after} <anchor> {that} <text>'],
  ['insert_before', '{before} <anchor> {add} <text>'],
  ['insert_after', '{after} <anchor> {add} <text>'],
  ['prepend', '{add} {beginning} <section> <text>'],
  ['prepend', '{add} <text> {beginning} <section>'],
  ['prepend', '{beginning} <section> {add} <text>'],
  ['append', '{add} {end} <section> <text>'],
  ['append', '{add} <text> {end} <section>'],
  ['append', '{end} <section> {add} <text>'],
  ['append', '{add} {that} {to} <section> <text>'],
  ['append', '{add} {to} <section> {that} <text>'],
  ['append', '{add} {to} <section> <text>'],
  ['append', '{add} <text> {to} <section>'],
  ['append', '{add} {that} <text>'],
  ['append', '{add} <text>'],
  ['delete', '{delete} {mention} <what>'],
  ['delete', '{delete} <what>'],
];

export type Slot =
  | 'what'
  | 'by'
  | 'text'
  | 'anchor'
  | 'section'
  | 'side'
  | 'measure'
  | 'category'
  | 'nth'
  | 'field'
  | 'target';
export type Element = { readonly words: string } | { readonly slot: Slot };

/** Parses a pattern into its elements. */
export const elementsOf = (pattern: string): Element[] =>
  pattern.split(' ').map((element) => {
    const name = element.slice(1, -1);
    return element.startsWith('{') ? { words: name } : { slot: name as Slot };
  });
