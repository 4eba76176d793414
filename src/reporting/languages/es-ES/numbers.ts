/** Numbers, units and dates in Spanish. */
import type { DateTables, NumberTables, UnitTables } from '../tables.ts';

const numbers: NumberTables = {
  small: `
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho
    diecinueve
  `,
  tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  hundreds: 'ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  also: {
    un: 1,
    una: 1,
    veintiun: 21,
    veintiuno: 21,
    veintiuna: 21,
    veintidos: 22,
    veintitres: 23,
    veinticuatro: 24,
    veinticinco: 25,
    veintiseis: 26,
    veintisiete: 27,
    veintiocho: 28,
    veintinueve: 29,
    cien: 100,
    doscientas: 200,
    trescientas: 300,
    cuatrocientas: 400,
    quinientas: 500,
    seiscientas: 600,
    setecientas: 700,
    ochocientas: 800,
    novecientas: 900,
  },
  hundred: '',
  oneHundred: '',
  thousand: 'mil',
  million: 'millon millones',
  and: 'y',
  needsAnd: { tens: true, hundreds: false },
  articles: 'un una uno',
  decimal: {
    sign: ',',
    spoken: 'coma',
    point: 'punto',
    unsure: 'con',
    bareAfter:
      'de con mide miden midiendo medida medidas hay tiene presenta por hasta entre aproximadamente menos mas que',
    places: '',
  },
  digitByDigit: false,
  connectors: { times: 'por x veces equis', range: 'a hasta', and: 'y e o u', over: 'sobre', of: 'de' },
  half: { after: 'y medio, y media', alone: 'medio, media' },
  signs: {
    'más menos': '±',
    'más o menos': '±',
    'mayor que': '>',
    'mayor de': '>',
    'mayores que': '>',
    'mayores de': '>',
    'menor que': '<',
    'menor de': '<',
    'menores que': '<',
    'menores de': '<',
    'mayor o igual a': '≥',
    'mayor o igual que': '≥',
    'mayor igual a': '≥',
    'mayor igual que': '≥',
    'menor o igual a': '≤',
    'menor o igual que': '≤',
    'menor igual a': '≤',
    'menor igual que': '≤',
  },
  superlatives: { articles: 'el la los las lo del al no', withNoun: 'mayor de, menor de' },
  minus: { spoken: 'menos', notAfter: 'al lo o mas por', contexts: 'score t z de' },
  listNouns: `
    segmento segmentos sector sectores nivel niveles grado grados zona zonas costilla costillas arco arcos dedo dedos
    metatarsiano metatarsianos metacarpiano metacarpianos linea lineas estacion estaciones cadena cadenas derivacion
    derivaciones imagen imagenes serie series vertebra vertebras tipo tipos fase fases item items numero numeros
  `,
  pressure: 'presion tension pa ta arterial',
  sizes: `
    midiendo mide miden medida medidas medio medir dimensiones dimension diametro diametros tamano cerca
    aproximadamente unos unas eje longitudinal bipolar craneocaudal longitud espesor grosor calibre volumen estimado
    estimada normal maximo
  `,
  measuring: 'midiendo mide miden medida medidas medir dimensiones dimension tamano diametros ejes',
  keepsThousand: true,
};

const units: UnitTables = {
  spoken: {
    mm: 'milímetro, milímetros',
    cm: 'centímetro, centímetros',
    m: 'metro, metros',
    µm: 'micrómetro, micrómetros, micra, micras',
    'mm²': 'milímetro cuadrado, milímetros cuadrados',
    'cm²': 'centímetro cuadrado, centímetros cuadrados',
    'm²': 'metro cuadrado, metros cuadrados',
    'mm³': 'milímetro cúbico, milímetros cúbicos',
    'cm³': 'centímetro cúbico, centímetros cúbicos',
    mL: 'mililitro, mililitros',
    dL: 'decilitro, decilitros',
    L: 'litro, litros',
    g: 'gramo, gramos',
    kg: 'kilo, kilos, kilogramo, kilogramos, quilo, quilos',
    mg: 'miligramo, miligramos',
    mcg: 'microgramo, microgramos',
    ng: 'nanogramo, nanogramos',
    pg: 'picogramo, picogramos',
    mmol: 'milimol, milimoles',
    mEq: 'miliequivalente, miliequivalentes',
    mmHg: 'milímetro de mercurio, milímetros de mercurio',
    ms: 'milisegundo, milisegundos',
    '%': 'por ciento, porciento',
    '°C': 'grado celsius, grados celsius, grado centígrado, grados centígrados',
    '°': 'grado, grados',
    kVp: 'kilovoltio pico, kilovoltios pico, kilovolt pico, kilovolts pico, kilovoltaje pico',
    kV: 'kilovoltio, kilovoltios, kilovolt, kilovolts',
    mAs: 'miliamperio segundo, miliamperios segundo, miliampere segundo, miliamperes segundo',
    mA: 'miliamperio, miliamperios, miliampere, miliamperes',
    mGy: 'miligray, miligrays',
    Gy: 'gray, grays',
    mSv: 'milisievert, milisieverts',
    mCi: 'milicurie, milicuries, milicurio, milicurios',
    MBq: 'megabecquerel, megabecquerels, megabecquerelios, megabecquerelio, megabequerelios, megabequerelio, megabequerel, megabequereles',
    MHz: 'megahercio, megahercios, megahertz',
    kHz: 'kilohercio, kilohercios, kilohertz',
    Hz: 'hercio, hercios, hertz',
    kPa: 'kilopascal, kilopascales',
    T: 'tesla, teslas',
    dB: 'decibelio, decibelios, decibel, decibeles',
  },
  own: [
    { symbol: 'cc', phrases: 'cc, c c' },
    { symbol: 'UI', phrases: 'unidad internacional, unidades internacionales, ui' },
    {
      symbol: 'UH',
      phrases: `
        unidad hounsfield, unidades hounsfield, unidad de hounsfield, unidades de hounsfield, hounsfield, unidades housfield, unidades haunsfield, unidades hausfield,
        unidades hounsfields, unidades rounsfield, u hache, hache u,
        u h, h u, uh, hu
      `,
    },
    { symbol: 'lpm', phrases: 'latido por minuto, latidos por minuto, lpm' },
    { symbol: 'bpm', phrases: 'bpm' },
    {
      symbol: null,
      of: 'time',
      phrases: `
        segundos, minuto, minutos, hora, horas, día, días, semana, semanas, mes, meses, año, años, década, décadas
      `,
    },
    { symbol: null, of: 'count', phrases: 'pulgada, pulgadas, paquetes, paquetes año' },
  ],
  per: 'por',
  denominators: {
    segundo: 's',
    minuto: 'min',
    hora: 'h',
    día: 'día',
    'metro cuadrado': 'm²',
    'centímetro cúbico': 'cm³',
    'milímetro cúbico': 'mm³',
    decilitro: 'dL',
    mililitro: 'mL',
    litro: 'L',
    kilo: 'kg',
    kilogramo: 'kg',
    gramo: 'g',
    miligramo: 'mg',
  },
};

const dates: DateTables = {
  order: 'day',
  clock: ':',
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  alsoMonths: { setiembre: 9 },
  ordinals: { primero: 1 },
  of: 'de del',
  hours: 'hora horas h',
  minutes: 'minuto minutos',
  and: 'y',
  beforeYear: '',
  at: 'las la hasta',
};

export const figures = { numbers, units, dates };
