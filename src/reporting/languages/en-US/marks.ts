/** Spoken punctuation in English. */
import type { MarkTables } from '../tables.ts';

export const marks: MarkTables = {
  marks: [
    { out: '.', cling: 'left', phrases: 'period, full stop, full-stop' },
    {
      out: '.\n\n',
      cling: 'both',
      phrases: 'period new paragraph, period next paragraph, full stop new paragraph, period paragraph',
    },
    {
      out: '.\n',
      cling: 'both',
      phrases: 'period new line, period next line, full stop new line, full stop next line',
    },
    { out: ',', cling: 'left', phrases: 'comma' },
    { out: ':', cling: 'left', phrases: 'colon' },
    { out: ';', cling: 'left', phrases: 'semicolon, semi colon, semi-colon' },
    { out: '?', cling: 'asks', phrases: 'question mark' },
    { out: '!', cling: 'left', phrases: 'exclamation mark, exclamation point' },
    { out: '…', cling: 'left', phrases: 'ellipsis, dot dot dot' },
    {
      out: '(',
      cling: 'right',
      phrases: `
        open parenthesis, open parentheses, left parenthesis, open paren, left paren, begin parenthesis, begin paren,
        open bracket, parenthesis open, paren open
      `,
    },
    {
      out: ')',
      cling: 'left',
      phrases: `
        close parenthesis, close parentheses, right parenthesis, close paren, right paren, end parenthesis, end paren,
        closed parenthesis, closed parentheses, closed paren, close bracket, parenthesis close, paren close
      `,
    },
    { out: '"', cling: 'right', phrases: 'open quote, open quotes, begin quote, open quotation, open quotation marks' },
    {
      out: '"',
      cling: 'left',
      phrases: 'close quote, close quotes, end quote, close quotation, close quotation marks, unquote',
    },
    { out: '-', cling: 'both', phrases: 'hyphen' },
    { out: '-', cling: 'link', phrases: 'dash' },
    { out: '/', cling: 'both', phrases: 'slash, forward slash' },
    { out: '\n', cling: 'both', phrases: 'new line, newline, next line' },
    { out: '\n\n', cling: 'both', phrases: 'new paragraph, next paragraph, start new paragraph' },
  ],
  sets: {
    article: 'the a an this that each every',
    class: 'type hepatitis influenza group grade class stage level category vitamin stanford child subtype variant',
    letter: 'b c d e f g h j k l m n o p q r s t u v w x y z i',
    during: 'over during throughout within for',
    clock: 'study week weeks month months day days year years hour hours minute minutes second seconds',
    kept: `
      time waiting menstrual observation refractory latency latent incubation followup postoperative perioperative postpartum
      neonatal gestational washout treatment recovery surveillance monitoring exposure interval perinatal prenatal newborn
      rest isovolumic ejection filling reporting sampling acquisition preoperative postop
    `,
    adjective:
      'full whole entire continuous additional further long short brief prolonged extended limited same early late initial immediate given certain latent',
    ordinal: 'first second third fourth fifth',
    past: 'past last previous prior next coming preceding following',
    organ:
      'ascending descending transverse sigmoid distal proximal entire right left the normal collapsed redundant and of in remaining visualized stool',
    /** Nouns that introduce what follows. */
    heading: `
      velocities measurements dimensions values parameters results levels biometry scores indications diameters lesions nodes
      recommendation recommendations diagnoses diagnosis note differential considerations medications allergies
      protocol sequences series views contrast dose
    `,
    label: `
      lungs lung heart mediastinum pleura bones bone liver gallbladder pancreas spleen kidneys kidney adrenals aorta bladder
      uterus ovaries ovary prostate bowel stomach appendix vessels thyroid isthmus lobe parotids orbits brain ventricles
      sinuses mastoids spine cord discs alignment vertebrae soft tissues musculoskeletal abdomen pelvis chest neck head
      lines tubes hila hilum airways esophagus nodes lymph peritoneum retroperitoneum mesentery ducts duct breast breasts
      rhythm rate axis intervals intervals menisci meniscus ligaments tendons cartilage effusion marrow fetus placenta
      cervix amniotic fluid biometry valves valve ventricle atrium septum pericardium
    `,
  },
  uses: {
    period: [
      ['mark', '_ §'],
      ['mark', '(scratch|delete|strike|erase|undo|remove) that _'],
      ['mark', '# a _'],
      ['mark', '{class} a _'],
      ['mark', '{letter} a _'],
      ['mark', '(on|to|from|with|since|versus) (the|a|this|that) {kept} _'],
      ['word', '{kept} _ (of|is|are|unknown|with|between|from|for|and|showed|shows|demonstrated|demonstrates)'],
      ['word', '_ (was|were|lasted|ended|began)'],
      ['word', '^ _ of'],
      ['word', '(last|previous|menstrual) _ # (day|days|week|weeks|month|months)'],
      ['word', '{article} {ordinal} _ (of|after|following|since|when|in|during)'],
      ['word', '{article} {kept} _'],
      ['word', '{article} {adjective} {kept} _'],
      ['word', '(time|menstrual|refractory|latency|incubation|neonatal) _'],
      ['mark', '{past} {clock} _'],
      ['mark', '(over|for|within|in|than|about|almost|nearly) (a|an) (day|week|month|year|hour) _'],
      ['word', '{during} {article} {clock} _'],
      ['word', '{article} # {clock} _'],
      ['word', '{article} {clock} _ (of|from|between|since)'],
      ['word', '{during} {article} _'],
      ['word', '{article} _'],
      ['word', '{article} {adjective} _'],
      ['word', '{adjective} _ of'],
      ['word', '(grace|rest|study) _ of'],
    ],
    colon: [
      ['mark', '§ _'],
      ['mark', '{heading} _'],
      ['mark', '(following|follows|include|includes|including|measurements|impression|findings) _'],
      [
        'word',
        '_ (and|cancer|carcinoma|polyp|polyps|wall|is|are|was|or|with|shows|demonstrates|appears|without|resection|lesion|mass|lesions|masses|segments|segment|biopsy|biopsies|cancers|diverticula|diverticulum)',
      ],
      ['word', '{organ} _'],
      ['mark', '# _'],
      ['mark', '^ {label} _'],
      ['mark', '^ (right|left|upper|lower|soft|lymph|the) {label} _'],
      ['mark', '^ {label} (and|right|left|upper|lower) {label} _'],
      ['mark', '^ {label} {label} _'],
      ['word', '_'],
    ],
    comma: [
      ['word', '(the|a) _'],
      ['word', '_ (shaped|sign)'],
    ],
    slash: [
      ['word', '{article} _'],
      ['word', '(deep|superficial) _'],
      ['word', '_ (wound|wounds|injury)'],
    ],
    hyphen: [['word', '{article} _']],
    'new line': [
      ['word', '{article} _'],
      ['word', '_ (of|placement|placed|therapy)'],
    ],
    'next line': [
      ['word', '(the|a) _'],
      ['word', '_ (of|therapy|treatment)'],
    ],
    'new paragraph': [['word', '{article} _']],
  },
  nouns: '',
  hesitations: 'um umm ummm uh uhh uhhh uhm uhmm erm hm hmm hmmm mmm',
  items: 'number, item',
  itemOrdinals: 'first second third fourth fifth sixth seventh eighth',
  colons: 'colin, collin, cologne, call on, call in, calling, coal on, cold on',
  escape: 'literal',
};
