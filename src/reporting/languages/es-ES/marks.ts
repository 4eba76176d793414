/** Spoken punctuation in Spanish. */
import type { MarkTables } from '../tables.ts';

export const marks: MarkTables = {
  marks: [
    { out: '.', cling: 'left', phrases: 'punto, punto final, punto y seguido, punto seguido' },
    {
      out: '.\n\n',
      cling: 'both',
      phrases: `
        punto y aparte, punto aparte, punto y a parte, punto nuevo párrafo, punto y nuevo párrafo, punto párrafo,
        punto final nuevo párrafo
      `,
    },
    { out: '.\n', cling: 'both', phrases: 'punto nueva línea, punto y nueva línea, punto siguiente línea' },
    { out: ',', cling: 'left', phrases: 'coma' },
    { out: ':', cling: 'left', phrases: 'dos puntos, 2 puntos' },
    { out: ';', cling: 'left', phrases: 'punto y coma' },
    {
      out: '?',
      cling: 'left',
      phrases: 'signo de interrogación, cierra interrogación, cerrar interrogación, cierre interrogación',
    },
    { out: '¿', cling: 'right', phrases: 'abre interrogación, abrir interrogación' },
    { out: '!', cling: 'left', phrases: 'signo de exclamación, cierra exclamación, signo de admiración' },
    { out: '…', cling: 'left', phrases: 'puntos suspensivos' },
    {
      out: '(',
      cling: 'right',
      phrases:
        'abrir paréntesis, abre paréntesis, abra paréntesis, se abre paréntesis, paréntesis abierto, entre paréntesis',
    },
    {
      out: ')',
      cling: 'left',
      phrases: 'cerrar paréntesis, cierra paréntesis, cierre paréntesis, se cierra paréntesis, paréntesis cerrado',
    },
    { out: '"', cling: 'right', phrases: 'abrir comillas, abre comillas, abra comillas' },
    { out: '"', cling: 'left', phrases: 'cerrar comillas, cierra comillas, cierre comillas' },
    { out: '-', cling: 'both', phrases: 'guion, guión' },
    { out: '/', cling: 'link', phrases: 'barra, diagonal, slash' },
    {
      out: '\n',
      cling: 'both',
      phrases: 'nueva línea, siguiente línea, línea nueva, próxima línea, salto de línea, cambio de línea, otra línea',
    },
    {
      out: '\n\n',
      cling: 'both',
      phrases: 'nuevo párrafo, párrafo nuevo, siguiente párrafo, próximo párrafo, párrafo, otro párrafo',
    },
  ],
  sets: {
    /** They never end a sentence. */
    hard: `
      el los del al en de con sin por para este ese aquel cada algun ningun y o que como su sobre entre hacia desde
      hasta mismo unico
    `,
    ordinal: 'primer segundo tercer cuarto quinto sexto septimo octavo noveno decimo primero tercero',
    adjective: 'buen mejor nuevo mismo otro unico pequeno propio principal',
    beforeOne: 'con en de hay por sin solo existe observa identifica presenta aprecia mas y o',
    pointOf: `
      mcburney mac murphy erb corte referencia vista partida insercion fusion entrada salida mayor maxima maximo dolor sutura
      gatillo contacto apoyo fijacion bifurcacion osificacion equilibrio anclaje origen convergencia cruce emergencia
      transicion estrangulamiento ruptura rotura sangrado lee cope
    `,
    pointLike:
      'doloroso dolorosa gatillo ciego lagrimal hemorragico hiperecogenico ecogenico hipoecogenico isoelectrico fijo j',
    comaLike: `
      profundo inducido diabetico hiperosmolar hepatico mixedematoso vigil barbiturico farmacologico etilico cetoacidotico
      neurologico urémico irreversible superficial
    `,
  },
  uses: {
    punto: [
      ['mark', '_ §'],
      ['mark', '(por|primer) segundo _'],
      ['mark', '# segundo _'],
      ['word', '_ (de|del) {pointOf}'],
      ['word', '_ {pointLike}'],
      ['word', '^ {adjective} _ (de|del|en)'],
      ['word', '^ _ (de|del)'],
      ['word', '(a) _ de'],
      ['word', '{hard} _'],
      ['word', '{hard} {ordinal} _ (de|del|en|donde|que|mas)'],
      ['word', '{hard} {adjective} _'],
      ['word', '{beforeOne} un _'],
      ['word', 'un _ (de|en)'],
      ['word', '(ultimo|penultimo) _'],
    ],
    'punto final': [['word', '{hard} _ (de|del)']],
    'dos puntos': [
      ['mark', '_ §'],
      ['word', '^ _ -os'],
      ['word', ': _ -os'],
      ['mark', '§ _ (de|del)'],
      ['word', '(los|con|en|entre|por|de|hay) _'],
      ['word', '_ (de|dolorosos|gatillo|hemorragicos|ecogenicos|quirurgicos|distintos|porcentuales)'],
    ],
    '2 puntos': [['word', '(los|con|en|entre|por|de|hay) _']],
    coma: [
      ['word', '(el|del|al|este|ese|un|en|de|sin|hacia|estado|escala|entra|presenta|con|por|al|tras|posible) _'],
      ['word', '_ {comaLike}'],
    ],
    'nueva línea': [
      ['word', '(la|una|de) _'],
      ['word', '_ (de|arterial|venosa|terapeutica)'],
    ],
    'siguiente línea': [
      ['word', '(la|en) _'],
      ['word', '_ de'],
    ],
    'otra línea': [['word', '(la|en|de|por) _']],
    diagonal: [['word', '{hard} _']],
    párrafo: [['word', '{hard} _']],
    'otro párrafo': [['word', '{hard} _']],
    'siguiente párrafo': [['word', '(el|en) _']],
  },
  nouns: 'coma',
  hesitations: 'eh ehh ehhh eeh eehh ehm mmm hm hmm hmmm',
  items: 'número, punto número, ítem',
  itemOrdinals: 'primero segundo tercero cuarto quinto sexto séptimo octavo',
  colons: 'los puntos, dos punto, 2 punto, 2',
  escape: 'literal',
};
