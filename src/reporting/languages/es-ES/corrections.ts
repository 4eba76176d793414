/** Spanish phrases for corrections and spelling. */
import type { CorrectionTables, MacroTables, SpellingTables } from '../tables.ts';

const corrections: CorrectionTables = {
  markers: `
    digo, corrijo, me corrijo, corrigiendo, mejor dicho, o mejor dicho, quiero decir, quise decir, o mejor, rectifico,
    perdón digo, perdón quiero decir, disculpe digo, disculpa digo, no digo
  `,
  weak: 'perdón, corrección, disculpe, disculpa, en realidad',
  between: 'no',
  scratch: `
    borrar eso, borra eso, borre eso, borrar esto, borra la última frase, borrar la última frase, borre la última frase,
    borrar última frase, borra última frase, borrar la última oración, borre la última oración, deshacer eso, deshaz eso,
    deshaga eso, cancelar eso, cancela eso, cancele eso, tachar eso, tacha eso, tache eso, eliminar eso, elimina eso,
    elimine eso, quitar eso, quita eso, quite eso, anular eso, anula eso, anule eso, descartar eso, suprime eso,
    eliminar la última frase, elimine la última frase
  `,
  strike: '',
  kinds: [
    'derecho derecha derechos derechas izquierdo izquierda izquierdos izquierdas bilateral bilaterales',
    'superior superiores inferior inferiores medio media medios medias',
    'anterior anteriores posterior posteriores',
    'medial mediales lateral laterales central centrales interno interna externo externa',
    'superoexterno inferoexterno superointerno inferointerno superolateral inferolateral superomedial inferomedial retroareolar subareolar',
    'proximal proximales distal distales',
    'apical apicales basal basales',
    'con sin',
    `leve leves moderado moderada moderados moderadas acentuado acentuada discreto discreta grave graves importante minimo
     minima severo severa severos severas marcado marcada pequeno pequena pequenos pequenas grande grandes`,
    'maligno maligna benigno benigna malignidad benignidad',
    'aumentado aumentada aumentados aumentadas reducido reducida disminuido disminuida normal normales',
    'agudo aguda cronico cronica subagudo subaguda',
    'solido solida solidos quistico quistica quisticos mixto mixta',
    'regular regulares irregular irregulares lobulado lobulados espiculado espiculados',
    'hipoecoico hipoecoica hiperecoico hiperecoica hipoecogenico hiperecogenico isoecoico isoecogenico anecoico anecoica',
    'hipodenso hipodensa hiperdenso hiperdensa isodenso isodensa',
    'hiperintenso hiperintensa hipointenso hipointensa isointenso isointensa',
    'positivo positiva positivos positivas negativo negativa negativos negativas',
    'presente ausente presentes ausentes',
    'primer primero primera segundo segunda tercer tercero tercera cuarto cuarta quinto quinta sexto sexta septimo septima octavo octava noveno novena decimo decima',
    'masculino femenino',
    'sistolico sistolica diastolico diastolica',
    'arterial venosa venoso portal',
    'axial coronal sagital',
  ],
  negations: 'no sin',
  fillers: 'a el la los las en del de al lado lobulo con un una para por',
  prepositions: ['de del', 'en', 'a al', 'por', 'sobre', 'entre'],
  apart: 'perdón, corrección, disculpe, disculpa',
  goesOn: 'de del para por con fue quirurgica endovascular realizada previa',
};

const spelling: SpellingTables = {
  start: 'deletreando, deletrear, deletreo, deletrea, deletreado, letra por letra',
  end: 'fin del deletreo, fin de deletreo, fin',
  alphabet: {
    alfa: 'A',
    bravo: 'B',
    charlie: 'C',
    delta: 'D',
    eco: 'E',
    foxtrot: 'F',
    golf: 'G',
    hotel: 'H',
    india: 'I',
    julieta: 'J',
    kilo: 'K',
    lima: 'L',
    mike: 'M',
    noviembre: 'N',
    november: 'N',
    óscar: 'O',
    papá: 'P',
    quebec: 'Q',
    romeo: 'R',
    sierra: 'S',
    tango: 'T',
    uniforme: 'U',
    víctor: 'V',
    whisky: 'W',
    yankee: 'Y',
    zulú: 'Z',
  },
  as: 'de como',
  double: 'doble dos',
  accents: {
    'con acento': '\u0301',
    'con tilde': '\u0301',
    acentuada: '\u0301',
    'con diéresis': '\u0308',
  },
};

const macros: MacroTables = {
  callers: `
    macro, autotexto, texto, insertar, inserte, inserta, insertar macro, inserte macro, inserta macro, insertar texto,
    inserte texto, insertar autotexto, inserte autotexto, insertar el, insertar la, inserte el, inserte la, inserta el,
    inserta la, insertar la macro, inserte la macro, insertar el texto, inserte el texto, insertar el autotexto, usar macro,
    usar la macro, usar autotexto, llamar macro, llamar a la macro, aplicar macro, aplicar la macro, plantilla,
    insertar plantilla, insertar la plantilla, usar plantilla
  `,
  nouns: 'macro autotexto plantilla',
  normals: 'normales, los normales, todos los normales, textos normales, hallazgos normales',
};

export const speech = { corrections, spelling, macros };
