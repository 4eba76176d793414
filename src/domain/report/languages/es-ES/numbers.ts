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
  thousand: 'mil',
  million: 'millon millones',
  and: 'y',
  needsAnd: { tens: true, hundreds: false },
  articles: 'un una uno',
  decimal: { sign: ',', spoken: 'coma', point: 'punto', unsure: 'con', bareAfter: '' },
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
  keepsThousand: true,
};

const units: UnitTables = {
  units: [
    { symbol: 'mm', phrases: 'milímetro, milímetros, mm', of: 'length' },
    { symbol: 'cm', phrases: 'centímetro, centímetros, cm, cms', of: 'length' },
    { symbol: 'm', phrases: 'metro, metros, m', of: 'length' },
    { symbol: 'µm', phrases: 'micrómetro, micrómetros, micra, micras, µm, μm', of: 'length' },
    { symbol: 'mm²', phrases: 'milímetro cuadrado, milímetros cuadrados, mm2, mm²' },
    { symbol: 'cm²', phrases: 'centímetro cuadrado, centímetros cuadrados, cm2, cm²' },
    { symbol: 'm²', phrases: 'metro cuadrado, metros cuadrados, m2, m²' },
    { symbol: 'mm³', phrases: 'milímetro cúbico, milímetros cúbicos, mm3, mm³' },
    { symbol: 'cm³', phrases: 'centímetro cúbico, centímetros cúbicos, cm3, cm³' },
    { symbol: 'cc', phrases: 'cc, c c' },
    { symbol: 'mL', phrases: 'mililitro, mililitros, ml' },
    { symbol: 'dL', phrases: 'decilitro, decilitros, dl' },
    { symbol: 'L', phrases: 'litro, litros, l' },
    { symbol: 'g', phrases: 'gramo, gramos, g' },
    { symbol: 'kg', phrases: 'kilo, kilos, kilogramo, kilogramos, quilo, quilos, kg' },
    { symbol: 'mg', phrases: 'miligramo, miligramos, mg' },
    { symbol: 'mcg', phrases: 'microgramo, microgramos, mcg, µg, μg' },
    { symbol: 'ng', phrases: 'nanogramo, nanogramos, ng' },
    { symbol: 'pg', phrases: 'picogramo, picogramos, pg' },
    { symbol: 'mmol', phrases: 'milimol, milimoles, mmol' },
    { symbol: 'mEq', phrases: 'miliequivalente, miliequivalentes, meq' },
    { symbol: 'UI', phrases: 'unidad internacional, unidades internacionales, ui' },
    {
      symbol: 'UH',
      phrases: `
        unidad hounsfield, unidades hounsfield, unidad de hounsfield, unidades de hounsfield, hounsfield, unidades housfield, unidades haunsfield, unidades hausfield,
        unidades hounsfields, unidades rounsfield, u hache, hache u,
        u h, h u, uh, hu
      `,
    },
    { symbol: 'mmHg', phrases: 'milímetro de mercurio, milímetros de mercurio, mmhg' },
    { symbol: 'ms', phrases: 'milisegundo, milisegundos, ms' },
    { symbol: 'lpm', phrases: 'latido por minuto, latidos por minuto, lpm' },
    { symbol: 'bpm', phrases: 'bpm' },
    { symbol: '%', phrases: 'por ciento, porciento', isTight: true },
    { symbol: '°C', phrases: 'grado celsius, grados celsius, grado centígrado, grados centígrados' },
    { symbol: '°', phrases: 'grado, grados', isTight: true },
    {
      symbol: 'kVp',
      phrases: 'kilovoltio pico, kilovoltios pico, kilovolt pico, kilovolts pico, kvp, k v p, kilovoltaje pico',
    },
    { symbol: 'kV', phrases: 'kilovoltio, kilovoltios, kilovolt, kilovolts, kv' },
    {
      symbol: 'mAs',
      phrases: 'miliamperio segundo, miliamperios segundo, miliampere segundo, miliamperes segundo, m a s',
    },
    { symbol: 'mA', phrases: 'miliamperio, miliamperios, miliampere, miliamperes' },
    { symbol: 'mGy', phrases: 'miligray, miligrays, mgy' },
    { symbol: 'Gy', phrases: 'gray, grays, gy' },
    { symbol: 'mSv', phrases: 'milisievert, milisieverts, msv' },
    { symbol: 'mCi', phrases: 'milicurie, milicuries, milicurio, milicurios, mci' },
    {
      symbol: 'MBq',
      phrases:
        'megabecquerel, megabecquerels, megabecquerelios, megabecquerelio, megabequerelios, megabequerelio, megabequerel, megabequereles, mbq',
    },
    { symbol: 'MHz', phrases: 'megahercio, megahercios, megahertz, mhz' },
    { symbol: 'kHz', phrases: 'kilohercio, kilohercios, kilohertz, khz' },
    { symbol: 'Hz', phrases: 'hercio, hercios, hertz, hz' },
    { symbol: 'kPa', phrases: 'kilopascal, kilopascales, kpa' },
    { symbol: 'T', phrases: 'tesla, teslas' },
    { symbol: 'dB', phrases: 'decibelio, decibelios, decibel, decibeles, db' },
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
    s: 's',
    min: 'min',
    m2: 'm²',
    dl: 'dL',
    ml: 'mL',
    l: 'L',
    kg: 'kg',
    mm3: 'mm³',
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
