/** How a speaker of Portuguese takes words back, and spells. */
import type { CorrectionTables, MacroTables, SpellingTables } from '../tables.ts';

const corrections: CorrectionTables = {
  markers: `
    digo, corrijo, me corrijo, corrigindo, me corrigindo, aliás, ou aliás, quer dizer, quero dizer, ou melhor,
    melhor dizendo, retifico, retificando, minto, desculpa digo, desculpe digo, perdão digo, não digo, ou digo,
    desculpa corrigindo
  `,
  weak: 'correção, perdão, desculpa, desculpe, na verdade',
  between: 'não',
  scratch: `
    apagar isso, apaga isso, apague isso, apagar isto, apaga a última frase, apagar a última frase, apague a última frase,
    apagar última frase, apaga última frase, apagar frase, desfazer isso, desfaz isso, desfaça isso, cancelar isso,
    cancela isso, cancele isso, riscar isso, risca isso, risque isso, excluir isso, exclui isso, exclua isso,
    remover isso, remove isso, remova isso, deletar isso, deleta isso, delete isso, desconsiderar isso, desconsidera isso,
    desconsidere isso, desconsiderar a última frase, desconsidere a última frase, desconsidera a última frase,
    desconsiderar última frase, ignore isso, ignorar isso
  `,
  strike: '',
  kinds: [
    'direito direita direitos direitas esquerdo esquerda esquerdos esquerdas bilateral bilaterais',
    'superior superiores inferior inferiores medio media medios medias',
    'anterior anteriores posterior posteriores',
    'medial mediais lateral laterais central centrais interno interna externo externa',
    'superoexterno inferoexterno superointerno inferointerno superolateral inferolateral superomedial inferomedial retroareolar subareolar',
    'proximal proximais distal distais',
    'apical apicais basal basais',
    'com sem',
    `leve leves moderado moderada moderados moderadas acentuado acentuada acentuados acentuadas discreto discreta discretos
     discretas grave graves importante minimo minima severo severa`,
    'maligno maligna benigno benigna malignidade benignidade',
    'aumentado aumentada aumentados aumentadas reduzido reduzida reduzidos reduzidas diminuido diminuida normal normais',
    'agudo aguda cronico cronica subagudo subaguda',
    'solido solida solidos cistico cistica cisticos misto mista',
    'regular regulares irregular irregulares lobulado lobulados espiculado espiculados',
    'hipoecogenico hipoecogenica hiperecogenico hiperecogenica isoecogenico isoecogenica anecoico anecoica anecogenico',
    'hipodenso hipodensa hiperdenso hiperdensa isodenso isodensa',
    'hipersinal hipossinal isossinal',
    'positivo positiva positivos positivas negativo negativa negativos negativas',
    'presente ausente presentes ausentes',
    'primeiro primeira segundo segunda terceiro terceira quarto quarta quinto quinta sexto sexta setimo setima oitavo oitava nono nona decimo decima',
    'masculino feminino',
    'sistolico sistolica diastolico diastolica',
    'arterial venosa venoso portal',
    'axial coronal sagital',
  ],
  negations: 'nao sem',
  fillers: 'a as o os no na nos nas do da dos das ao lado lobo em de com um uma para pela pelo',
  prepositions: ['de do da dos das', 'em no na nos nas num numa', 'ao aos', 'por pelo pela pelos pelas', 'sobre', 'entre'],
  apart: 'correção, perdão, desculpa, desculpe',
  goesOn: 'de do da dos das para por com foi cirurgica endovascular realizada previa',
};

const spelling: SpellingTables = {
  start: 'soletrando, soletrar, soletro, soletra, soletrado, letra por letra',
  end: 'fim da soletração, fim de soletração, fim do soletrado, fim',
  alphabet: {
    alfa: 'A',
    bravo: 'B',
    charlie: 'C',
    delta: 'D',
    eco: 'E',
    echo: 'E',
    foxtrot: 'F',
    golfe: 'G',
    golf: 'G',
    hotel: 'H',
    índia: 'I',
    india: 'I',
    juliete: 'J',
    julieta: 'J',
    quilo: 'K',
    kilo: 'K',
    lima: 'L',
    mike: 'M',
    maique: 'M',
    novembro: 'N',
    november: 'N',
    oscar: 'O',
    papa: 'P',
    quebec: 'Q',
    quebeque: 'Q',
    romeu: 'R',
    romeo: 'R',
    sierra: 'S',
    tango: 'T',
    uniforme: 'U',
    victor: 'V',
    vítor: 'V',
    uísque: 'W',
    whiskey: 'W',
    'x-ray': 'X',
    yankee: 'Y',
    ianque: 'Y',
    zulu: 'Z',
  },
  as: 'de como',
  double: 'dois duplo dobrado',
  accents: {
    agudo: '\u0301',
    aguda: '\u0301',
    circunflexo: '\u0302',
    til: '\u0303',
    cedilha: '\u0327',
    trema: '\u0308',
    grave: '\u0300',
  },
};

const macros: MacroTables = {
  callers: `
    macro, autotexto, texto, frase, inserir, insere, insira, inserir macro, insira macro, inserir texto, insira texto,
    inserir autotexto, máscara, modelo
  `,
};

export const speech = { corrections, spelling, macros };
