/** Spoken punctuation in Portuguese. */
import type { MarkTables } from '../tables.ts';

export const marks: MarkTables = {
  marks: [
    { out: '.', cling: 'left', phrases: 'ponto, ponto final, ponto e seguido, ponto seguido' },
    {
      out: '.\n\n',
      cling: 'both',
      phrases: `
        ponto parágrafo, ponto e parágrafo, ponto final parágrafo, ponto novo parágrafo, ponto e novo parágrafo,
        ponto final novo parágrafo
      `,
    },
    { out: '.\n', cling: 'both', phrases: 'ponto nova linha, ponto e nova linha, ponto próxima linha' },
    { out: ',', cling: 'left', phrases: 'vírgula' },
    { out: ':', cling: 'left', phrases: 'dois pontos, 2 pontos' },
    { out: ';', cling: 'left', phrases: 'ponto e vírgula' },
    { out: '?', cling: 'left', phrases: 'ponto de interrogação, interrogação' },
    { out: '!', cling: 'left', phrases: 'ponto de exclamação' },
    { out: '…', cling: 'left', phrases: 'reticências' },
    {
      out: '(',
      cling: 'right',
      phrases: `
        abre parênteses, abrir parênteses, abra parênteses, abre parêntese, abrir parêntese, abra parêntese,
        abre parêntesis, abrir parêntesis, entre parênteses abre, entre parênteses
      `,
    },
    {
      out: ')',
      cling: 'left',
      phrases: `
        fecha parênteses, fechar parênteses, feche parênteses, fecha parêntese, fechar parêntese, feche parêntese,
        fecha parêntesis, fechar parêntesis
      `,
    },
    { out: '"', cling: 'right', phrases: 'abre aspas, abrir aspas, abra aspas' },
    { out: '"', cling: 'left', phrases: 'fecha aspas, fechar aspas, feche aspas' },
    { out: '-', cling: 'both', phrases: 'hífen' },
    { out: '-', cling: 'link', phrases: 'traço, tracinho' },
    { out: '/', cling: 'link', phrases: 'barra' },
    {
      out: '\n',
      cling: 'both',
      phrases: 'nova linha, próxima linha, linha nova, pula linha, pular linha, quebra de linha',
    },
    {
      out: '\n\n',
      cling: 'both',
      phrases: 'parágrafo, novo parágrafo, próximo parágrafo, outro parágrafo, abre parágrafo, abrir parágrafo',
    },
  ],
  sets: {
    /** They never end a sentence. */
    hard: `
      o os no nos do dos ao aos pelo pelos este esse aquele neste nesse naquele deste desse daquele num dum com em de
      por para sem sob sobre entre cada algum qual e ou que como seu
    `,
    ordinal: 'primeiro segundo terceiro quarto quinto sexto setimo oitavo nono decimo',
    adjective: 'bom melhor novo outro mesmo outro unico pequeno proprio principal',
    /** Before "um ponto": then it is a point. */
    beforeOne: `
      com em de ha por sem so apenas observa observamos apresenta existe identifica identificamos nota notamos
      evidencia mais e ou em
    `,
    pointOf: `
      mcburney mac murphy erb corte referencia vista partida insercao fusao entrada saida maior maxima maximo dor sutura
      gatilho contato apoio fixacao bifurcacao ossificacao hiperecogenicidade hipersinal hipossinal hiperdensidade
      equilibrio ancoragem origem convergencia cruzamento emergencia transicao estrangulamento reentrada ruptura
      rotura sangramento lee cope
    `,
    pointLike: `
      doloroso dolorosa gatilho cego lacrimal hemorragico hiperecogenico ecogenico hipoecogenico hiperdenso hipodenso
      brilhante isoeletrico fixo j
    `,
  },
  uses: {
    ponto: [
      ['mark', '_ §'],
      ['mark', '(por|primeiro) segundo _'],
      ['mark', '# segundo _'],
      ['mark', '# e um _'],
      ['word', '_ (de|do|da) {pointOf}'],
      ['word', '_ {pointLike}'],
      ['word', '^ {adjective} _ (de|do|da|em)'],
      ['word', '^ _ (de|do|da|dos|das)'],
      ['word', '(a) _ de'],
      ['word', '{hard} _'],
      ['word', '{hard} {ordinal} _ (de|do|da|em|onde|que|mais)'],
      ['word', '{hard} {adjective} _'],
      ['word', '{beforeOne} um _'],
      ['word', '(ultimo|penultimo) _'],
    ],
    'ponto final': [['word', '{hard} _ (de|do|da)']],
    'dois pontos': [
      ['mark', '_ §'],
      ['word', '^ _ -os'],
      ['word', ': _ -os'],
      ['mark', '§ _ (de|do|da)'],
      ['word', '(os|nos|dos|aos|com|em|entre|por|de|ha|tem) _'],
      [
        'word',
        '_ (de|dolorosos|gatilho|hemorragicos|ecogenicos|hiperecogenicos|cirurgicos|cegos|distintos|percentuais)',
      ],
    ],
    '2 pontos': [['word', '(os|nos|dos|aos|com|em|entre|por|de|ha|tem) _']],
    traço: [['word', '_ de']],
    interrogação: [['word', '(a|de|uma|com) _']],
    parágrafo: [['word', '{hard} _']],
    'próximo parágrafo': [['word', '(o|no|do|ao) _']],
    'outro parágrafo': [['word', '(o|no|do|ao|em) _']],
    'nova linha': [
      ['word', '(a|uma|na|da|de) _'],
      ['word', '_ (de|arterial|venosa|terapeutica)'],
    ],
    'próxima linha': [
      ['word', '(a|na|da|de) _'],
      ['word', '_ de'],
    ],
  },
  nouns: '',
  hesitations: 'ã ãã ããã hã hãã ahn ahã ahm hum humm hm hmm hmmm éé ééé mmm',
  items: 'número, item',
  itemOrdinals: 'primeiro segundo terceiro quarto quinto sexto sétimo oitavo',
  colons: 'os pontos, dos pontos, dois ponto, 2 ponto, 2',
  escape: 'literal',
};
