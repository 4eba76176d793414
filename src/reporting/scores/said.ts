/**
 * How reports name the answers of the scores' questions: score → question → answer → phrases, in our languages. An
 * answer without phrases is chosen by the reader alone.
 */
type Phrases = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

const solid =
  'solid, solido, solida, solid nodule, nodulo solido, almost completely solid, quase todo solido, casi solido';
const partSolid =
  'part solid, partly solid, partially solid, semisolid, subsolid, parcialmente solido, parte solida, semissolido, semisolido, subsolido';
const groundGlass =
  'ground glass, groundglass, pure ground glass, em vidro fosco, vidro fosco, vidrio deslustrado, vidrio esmerilado';

export const said: Phrases = {
  'bi-rads': {
    category: Object.fromEntries(
      ['0', '1', '2', '3', '4A', '4B', '4C', '5', '6'].map((category) => [
        category,
        ['bi rads', 'birads', 'bi rads categoria', 'bi rads category', 'categoria bi rads', 'category bi rads']
          .map((name) => `${name} ${category}`)
          .join(', '),
      ]),
    ),
  },
  'ti-rads': {
    composition: {
      cystic:
        'cystic, almost completely cystic, cistico, cistica, quase todo cistico, predominantemente cistico, quistico, casi totalmente quistico',
      spongiform: 'spongiform, espongiforme',
      mixed:
        'mixed, mixed cystic and solid, mixed solid and cystic, solid and cystic, cystic and solid, partially cystic, misto, mista, misto cistico e solido, solido cistico, cistico e solido, solido e cistico, parcialmente cistico, mixto, mixto quistico y solido, solido quistico, quistico y solido, parcialmente quistico',
      solid,
    },
    echogenicity: {
      anechoic: 'anechoic, anecoico, anecoica, anecogenico',
      isoechoic:
        'isoechoic, hyperechoic, isoecoico, isoecoica, hiperecoico, hiperecoica, isoecogenico, hiperecogenico, hiperecogenica',
      hypoechoic: 'hypoechoic, hipoecoico, hipoecoica, hipoecogenico, hipoecogenica',
      very_hypoechoic:
        'very hypoechoic, markedly hypoechoic, muito hipoecoico, muito hipoecoica, marcadamente hipoecoico, acentuadamente hipoecoico, muy hipoecoico, muy hipoecogenico, marcadamente hipoecogenico',
    },
    shape: {
      wider: 'wider than tall, mais largo que alto, mais larga que alta, mas ancho que alto',
      taller: 'taller than wide, mais alto que largo, mais alta que larga, mas alto que ancho',
    },
    margin: {
      smooth:
        'smooth margins, smooth margin, well defined, well circumscribed, margens lisas, margem lisa, margens regulares, margem regular, contornos regulares, contornos lisos, limites precisos, bem definido, bem definida, bem definidas, bem delimitado, bem delimitada, margenes lisos, margen liso, margenes regulares, bien definido, bien definidos, bien delimitado, bordes lisos, bordes regulares',
      ill_defined:
        'ill defined, poorly defined, mal definido, mal definida, mal definidas, mal delimitado, limites imprecisos, mal definidos',
      lobulated:
        'lobulated, irregular margins, irregular margin, lobulado, lobulada, lobuladas, margens irregulares, contornos irregulares, margenes irregulares, bordes irregulares',
      extension: 'extrathyroidal extension, extensao extratireoidiana, extension extratiroidea',
    },
    foci: {
      comet_tail: 'comet tail, comet tail artifacts, cauda de cometa, cola de cometa',
      macrocalcification:
        'macrocalcification, macrocalcifications, coarse calcification, coarse calcifications, macrocalcificacao, macrocalcificacoes, calcificacao grosseira, calcificacoes grosseiras, macrocalcificacion, macrocalcificaciones, calcificaciones gruesas',
      rim: 'rim calcification, rim calcifications, peripheral calcification, peripheral calcifications, eggshell calcification, calcificacao periferica, calcificacoes perifericas, calcificacao em casca de ovo, calcificacion periferica, calcificaciones perifericas',
      punctate:
        'punctate echogenic foci, punctate foci, microcalcifications, microcalcification, focos ecogenicos puntiformes, focos puntiformes, microcalcificacoes, microcalcificacao, microcalcificaciones, microcalcificacion',
    },
  },
  'pi-rads': {
    zone: {
      peripheral: 'peripheral zone, zona periferica',
      transition: 'transition zone, transitional zone, zona de transicao, zona de transicion, zona transicional',
    },
  },
  'li-rads': {
    features: {
      washout: 'washout, nonperipheral washout, wash out, lavado',
      capsule: 'enhancing capsule, capsule, capsula, pseudocapsula, pseudocapsule',
    },
    enhancement: {
      yes: 'arterial hyperenhancement, nonrim arterial phase hyperenhancement, arterial phase hyperenhancement, hiperrealce arterial, hiper realce arterial, hiperrealce na fase arterial, hiper realce na fase arterial, hipervascular na fase arterial, hiperrealce en fase arterial',
    },
  },
  'lung-rads': {
    type: { solid, part_solid: partSolid, ground_glass: groundGlass },
  },
  fleischner: {
    type: { solid, part_solid: partSolid, ground_glass: groundGlass },
    number: {
      single: 'single nodule, solitary nodule, nodulo unico, nodulo solitario, unico nodulo',
      multiple:
        'multiple nodules, several nodules, nodulos multiplos, multiplos nodulos, varios nodulos, nodulos multiples, multiples nodulos',
    },
  },
};
