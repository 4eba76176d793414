/** Numbers, units and dates in Portuguese. */
import type { DateTables, NumberTables, UnitTables } from '../tables.ts';

const numbers: NumberTables = {
  small: `
    zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito
    dezenove
  `,
  tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
  hundreds: 'cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
  also: {
    uma: 1,
    duas: 2,
    catorze: 14,
    dezasseis: 16,
    dezassete: 17,
    dezanove: 19,
    cem: 100,
    duzentas: 200,
    trezentas: 300,
    quatrocentas: 400,
    quinhentas: 500,
    seiscentas: 600,
    setecentas: 700,
    oitocentas: 800,
    novecentas: 900,
  },
  hundred: '',
  oneHundred: '',
  thousand: 'mil',
  million: 'milhao milhoes',
  and: 'e',
  needsAnd: { tens: true, hundreds: true },
  articles: 'um uma',
  decimal: {
    sign: ',',
    spoken: 'virgula',
    point: 'ponto',
    unsure: '',
    bareAfter: `
      de com mede medem medindo mediu medida medidas ha tem apresenta por ate entre aproximadamente menos mais que a
    `,
    places: '',
  },
  digitByDigit: false,
  connectors: { times: 'por x vezes xis', range: 'a ate para', and: 'e ou', over: 'por sobre', of: 'de' },
  half: { after: 'e meio, e meia', alone: 'meio, meia' },
  signs: {
    'mais ou menos': '±',
    'mais menos': '±',
    'maior que': '>',
    'maior do que': '>',
    'maiores que': '>',
    'maiores do que': '>',
    'menor que': '<',
    'menor do que': '<',
    'menores que': '<',
    'menores do que': '<',
    'maior ou igual a': '≥',
    'maior ou igual que': '≥',
    'maior igual a': '≥',
    'maior ou igual': '≥',
    'menor ou igual a': '≤',
    'menor ou igual que': '≤',
    'menor igual a': '≤',
    'menor ou igual': '≤',
  },
  superlatives: { articles: 'o a os as do da dos das nao', withNoun: '' },
  minus: { spoken: 'menos', notAfter: 'pelo ao ou mais', contexts: 'score escore t z de' },
  listNouns: `
    segmento segmentos segmentar setor setores nivel niveis grau graus zona zonas costela costelas arco arcos costais dedo
    dedos metatarso metatarsos metacarpo metacarpos linha linhas estacao estacoes cadeia cadeias derivacao derivacoes
    imagem imagens serie series vertebra vertebras tipo tipos fase fases item itens numero numeros
  `,
  pressure: 'pressao pa arterial',
  sizes: `
    medindo mede medem medida medidas mediu medir dimensoes dimensao diametro diametros tamanho cerca ate
    aproximadamente eixo longitudinal bipolar craniocaudal comprimento espessura calibre volume estimado estimada
    normal normais ventriculo esquerdo esquerda pico
  `,
  measuring: 'medindo mede medem medida medidas mediu medir dimensoes dimensao tamanho diametros eixos',
  keepsThousand: true,
};

const units: UnitTables = {
  spoken: {
    mm: 'milímetro, milímetros',
    cm: 'centímetro, centímetros',
    m: 'metro, metros',
    µm: 'micrômetro, micrômetros, mícron, mícrons',
    'mm²': 'milímetro quadrado, milímetros quadrados',
    'cm²': 'centímetro quadrado, centímetros quadrados',
    'm²': 'metro quadrado, metros quadrados',
    'mm³': 'milímetro cúbico, milímetros cúbicos',
    'cm³': 'centímetro cúbico, centímetros cúbicos',
    mL: 'mililitro, mililitros',
    dL: 'decilitro, decilitros',
    L: 'litro, litros',
    g: 'grama, gramas',
    kg: 'quilo, quilos, quilograma, quilogramas',
    mg: 'miligrama, miligramas',
    mcg: 'micrograma, microgramas',
    ng: 'nanograma, nanogramas',
    pg: 'picograma, picogramas',
    mmol: 'milimol, milimols, milimoles',
    mEq: 'miliequivalente, miliequivalentes',
    mmHg: 'milímetro de mercúrio, milímetros de mercúrio, mm de mercúrio',
    ms: 'milissegundo, milissegundos',
    '%': 'por cento',
    '°C': 'grau celsius, graus celsius, grau centígrado, graus centígrados',
    '°': 'grau, graus',
    kVp: 'quilovolt pico, quilovolts pico, quilovolts de pico, cá vê pê',
    kV: 'quilovolt, quilovolts',
    mAs: 'miliampere segundo, miliamperes segundo, miliampère segundo, miliampères segundo',
    mA: 'miliampere, miliamperes, miliampère, miliampères',
    mGy: 'miligray, miligrays',
    Gy: 'gray, grays',
    mSv: 'milisievert, milisieverts',
    mCi: 'milicurie, milicuries',
    MBq: 'megabecquerel, megabecquerels, megabequerel, megabequeréis',
    MHz: 'megahertz, mega hertz',
    kHz: 'quilohertz',
    Hz: 'hertz',
    kPa: 'quilopascal, quilopascais',
    T: 'tesla, teslas',
    dB: 'decibel, decibéis',
  },
  own: [
    { symbol: 'km', phrases: 'quilômetro, quilômetros, km', of: 'length' },
    { symbol: 'UI', phrases: 'unidade internacional, unidades internacionais, ui' },
    {
      symbol: 'UH',
      phrases: `
        unidade hounsfield, unidades hounsfield, unidade de hounsfield, unidades de hounsfield, hounsfield, unidades housfield, unidades haunsfield, unidades hausfield,
        unidades hounsfields, unidades rounsfield, agá u, u agá,
        h u, u h, hu, uh
      `,
    },
    { symbol: 'm/s', phrases: 'metro por segundo, metros por segundo' },
    { symbol: 'bpm', phrases: 'batimento por minuto, batimentos por minuto, bpm' },
    { symbol: 'irpm', phrases: 'incursões por minuto, incursões respiratórias por minuto, irpm' },
    {
      symbol: null,
      of: 'time',
      phrases: `
        segundos, minuto, minutos, hora, horas, dia, dias, semana, semanas, mês, meses, ano, anos, década, décadas
      `,
    },
    { symbol: null, of: 'count', phrases: 'polegada, polegadas, maços, anos maço, anos-maço' },
  ],
  per: 'por',
  denominators: {
    segundo: 's',
    minuto: 'min',
    hora: 'h',
    dia: 'dia',
    'metro quadrado': 'm²',
    'centímetro cúbico': 'cm³',
    'milímetro cúbico': 'mm³',
    decilitro: 'dL',
    mililitro: 'mL',
    litro: 'L',
    quilo: 'kg',
    quilograma: 'kg',
    grama: 'g',
    miligrama: 'mg',
  },
};

const dates: DateTables = {
  order: 'day',
  clock: 'h',
  months: 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  alsoMonths: {},
  ordinals: { primeiro: 1 },
  compoundOrdinals: null,
  of: 'de do',
  hours: 'hora horas h',
  minutes: 'minuto minutos',
  and: 'e',
  beforeYear: '',
  at: 'as ate',
};

export const figures = { numbers, units, dates };
