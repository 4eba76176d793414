/** What a language model may propose for the impression: nothing but what the findings say, each fact where they have it. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { checkProposals, listFindings } from '../../src/reporting/impression/proposed-sentences.ts';

const withFindings = (text: string) => listFindings([{ key: 'findings', title: 'Findings', text }]);

/** What becomes of a sentence that names all findings as its basis. */
function propose(findings: string, text: string, language: Language, present = '') {
  const base = withFindings(findings);
  return checkProposals([{ text, basis: base.map((_, at) => at) }], base, { language, present });
}
const isTaken = (...asked: Parameters<typeof propose>): boolean => propose(...asked).sentences.length === 1;

const chest =
  'There is a solid nodule in the right upper lobe, measuring 6 mm. No pleural effusion. The heart is enlarged. Lungs: clear.';
const several =
  'Left nodule of 6 mm and right nodule of 4 mm. Possible fracture of the right 6th rib. A previously described cyst has resolved. Old infarct in the left occipital lobe. No acute hemorrhage. BI-RADS 4A. L4-L5 disc protrusion. Effusion.';
const torax =
  'Nódulo sólido no lobo superior direito, medindo 6 mm. Não há derrame pleural. Derrame articular pequeno à esquerda. Possível fratura do arco costal direito. Cisto renal à direita de 3,2 x 1,8 cm. Pneumotórax não caracterizado. Fígado com esteatose leve.';
const torso =
  'Nódulo sólido en el lóbulo superior derecho, que mide 6 mm. No se observa derrame pleural. Posible fractura del arco costal derecho. Quiste renal derecho de 3,2 x 1,8 cm. Infarto antiguo occipital izquierdo.';

describe('a sentence that says less', () => {
  it.each<[Language, string, string]>([
    ['en-US', chest, 'Solid nodule of 6 mm in the right upper lobe.'],
    ['en-US', chest, '6 mm solid nodule in the right upper lobe'],
    ['en-US', chest, 'Nodule, 6 mm, right upper lobe.'],
    ['en-US', chest, 'No pleural effusion.'],
    ['en-US', chest, 'Enlarged heart.'],
    ['en-US', chest, 'Nodule in the right upper lobe, 6 mm; enlarged heart.'],
    ['en-US', several, 'Left nodule of 6 mm and right nodule of 4 mm.'],
    ['en-US', several, '6 mm left nodule.'],
    ['en-US', several, 'Possible fracture.'],
    ['en-US', several, 'Old infarct in the left occipital lobe.'],
    ['en-US', several, 'No acute hemorrhage.'],
    ['en-US', several, 'BI-RADS 4A.'],
    ['en-US', several, 'Disc protrusion at L4-L5.'],
    ['en-US', 'No pleural effusion or pneumothorax.', 'No pneumothorax.'],
    ['en-US', 'No right pneumothorax or fracture.', 'No right pneumothorax.'],
    ['en-US', 'Nodule at 2 cm from the nipple.', 'Nodule 2 cm from the nipple.'],
    ['pt-BR', torax, 'Nódulo de 6 mm no lobo superior direito.'],
    ['pt-BR', torax, 'Sem derrame pleural.'],
    ['pt-BR', torax, 'Derrame articular à esquerda.'],
    ['pt-BR', torax, 'Possível fratura do arco costal direito.'],
    ['pt-BR', torax, 'Cisto renal direito de 3,2 x 1,8 cm.'],
    ['pt-BR', torax, 'Sem pneumotórax.'],
    ['pt-BR', torax, 'Esteatose leve.'],
    ['es-ES', torso, 'Nódulo sólido de 6 mm en el lóbulo superior derecho.'],
    ['es-ES', torso, 'Sin derrame pleural.'],
    ['es-ES', torso, 'Posible fractura del arco costal derecho.'],
    ['es-ES', torso, 'Infarto antiguo occipital izquierdo.'],
  ])('%s: “%s” → “%s”', (language, findings, text) => expect(isTaken(findings, text, language)).toBe(true));
});

describe('a sentence that says more, or something else', () => {
  it.each<[string, Language, string, string]>([
    ['another side', 'en-US', chest, '6 mm nodule in the left upper lobe.'],
    ['another place', 'en-US', chest, 'Nodule in the right lower lobe.'],
    ['another unit', 'en-US', chest, '6 cm nodule in the right upper lobe.'],
    ['another number', 'en-US', chest, '8 mm nodule in the right upper lobe.'],
    ['a denial', 'en-US', chest, 'No nodule in the right upper lobe.'],
    ['no denial', 'en-US', chest, 'Pleural effusion.'],
    ['another finding', 'en-US', chest, '6 mm mass in the right upper lobe.'],
    ['several', 'en-US', chest, 'Nodules in the right upper lobe.'],
    ['doubt', 'en-US', chest, 'Possible nodule.'],
    ['a grade', 'en-US', chest, 'Malignant nodule.'],
    ['a measure of another finding', 'en-US', chest, '6 mm pleural effusion.'],
    ['what was said of another', 'en-US', chest, 'Enlarged nodule.'],
    ['the same, after a colon', 'en-US', chest, 'Lungs: enlarged.'],
    ['half a statement', 'en-US', chest, 'Heart.'],
    ['a side that another clause would share', 'en-US', chest, 'Nodule in the right upper lobe and enlarged heart.'],
    ['exchanged measures', 'en-US', several, 'Left nodule of 4 mm and right nodule of 6 mm.'],
    ['one measure for the other', 'en-US', several, 'Right nodule of 6 mm.'],
    ['certainty', 'en-US', several, 'Fracture of the right 6th rib.'],
    ['what is over', 'en-US', several, 'Cyst.'],
    ['what is old', 'en-US', several, 'Infarct in the left occipital lobe.'],
    ['a wider denial', 'en-US', several, 'No hemorrhage.'],
    ['another category', 'en-US', several, 'BI-RADS 4B.'],
    ['a category without its letter', 'en-US', several, 'BI-RADS 4.'],
    ['another level', 'en-US', several, 'L5-S1 disc protrusion.'],
    ['half a level', 'en-US', several, 'Disc protrusion at L4.'],
    ['doubt about something certain', 'en-US', several, 'Left nodule and possible fracture.'],
    ['a side for what has none', 'en-US', several, 'Left nodule and effusion.'],
    ['what another word makes of it', 'en-US', 'Mass effect on the left ventricle.', 'Mass.'],
    ['the same', 'en-US', 'Non-mass enhancement in the left breast.', 'Mass in the left breast.'],
    ['the same', 'pt-BR', 'Efeito de massa sobre o ventrículo esquerdo.', 'Massa.'],
    ['the same', 'es-ES', 'Efecto de masa sobre el ventrículo izquierdo.', 'Masa.'],
    ['certainty', 'en-US', 'Fracture? No effusion.', 'Fracture.'],
    ['certainty', 'es-ES', '¿Fractura? Sin derrame.', 'Fractura.'],
    ['certainty', 'en-US', 'The nodule cannot be confirmed.', 'Nodule.'],
    ['what a relative had', 'en-US', 'Mother had an aneurysm.', 'Aneurysm.'],
    ['what is over', 'pt-BR', 'Fratura consolidada da costela esquerda.', 'Fratura da costela esquerda.'],
    ['what is over', 'pt-BR', 'Trombos removidos.', 'Trombos.'],
    ['what is over', 'es-ES', 'Metástasis tratadas. El cálculo fue extraído.', 'Cálculo.'],
    ['a distance for a size', 'en-US', 'Nodule at 2 cm from the nipple.', 'Nodule of 2 cm.'],
    ['a distance for a size', 'pt-BR', 'Nódulo a 2 cm da papila.', 'Nódulo de 2 cm.'],
    ['a growth for a size', 'pt-BR', 'Nódulo que cresceu 2 mm.', 'Nódulo de 2 mm.'],
    ['a wider denial', 'en-US', 'No mass, nodule or effusion is seen on the right.', 'No mass.'],
    ['a wider denial', 'en-US', 'No right pneumothorax or fracture.', 'No fracture.'],
    ['a wider denial', 'pt-BR', 'Sem massas ou nódulos no rim direito.', 'Sem massas.'],
    ['where another is', 'en-US', 'Cyst in the liver. Nodule in the pineal.', 'Cyst in the liver and nodule.'],
    ['two sentences', 'en-US', chest, 'No pleural effusion. Enlarged heart.'],
    ['a field', 'en-US', chest, 'Nodule of [__ mm].'],
    ['an order', 'en-US', chest, 'Follow-up CT in 6 months.'],
    ['another side', 'pt-BR', torax, 'Nódulo de 6 mm no lobo superior esquerdo.'],
    ['another unit', 'pt-BR', torax, 'Nódulo de 6 cm no lobo superior direito.'],
    ['no denial', 'pt-BR', torax, 'Derrame pleural.'],
    ['certainty', 'pt-BR', torax, 'Fratura do arco costal direito.'],
    ['half a measure', 'pt-BR', torax, 'Cisto renal direito de 3,2 cm.'],
    ['a turned measure', 'pt-BR', torax, 'Cisto renal direito de 1,8 x 3,2 cm.'],
    ['no denial after it', 'pt-BR', torax, 'Pneumotórax.'],
    ['another finding', 'pt-BR', torax, 'Massa de 6 mm no lobo superior direito.'],
    ['another side', 'es-ES', torso, 'Nódulo de 6 mm en el lóbulo superior izquierdo.'],
    ['no denial', 'es-ES', torso, 'Derrame pleural.'],
    ['certainty', 'es-ES', torso, 'Fractura del arco costal derecho.'],
    ['what is old', 'es-ES', torso, 'Infarto occipital izquierdo.'],
  ])('%s is refused (%s): “%s” → “%s”', (_, language, findings, text) =>
    expect(propose(findings, text, language)).toEqual({ sentences: [], refused: 1 }),
  );
});

it('names only the sentences that it needs, of those that it rests on', () => {
  const base = withFindings(chest);
  const check = (basis: number[]) =>
    checkProposals([{ text: '- enlarged heart', basis }], base, { language: 'en-US', present: '' });
  expect(check([0, 1, 2]).sentences).toEqual([{ text: 'Enlarged heart.', basis: [2] }]);
  for (const basis of [[], [0, 1], [7], [-1], [Number.NaN], [0.5]]) expect(check(basis).refused).toBe(1);
});

it('proposes nothing twice, and nothing that the impression says', () => {
  const base = withFindings(chest);
  const twice = [2, 2].map((each) => ({ text: 'Enlarged heart.', basis: [each] }));
  expect(checkProposals(twice, base, { language: 'en-US', present: '' }).sentences).toHaveLength(1);
  const present = 'Solid nodule.\nEnlarged heart.';
  expect(checkProposals(twice, base, { language: 'en-US', present })).toEqual({ sentences: [], refused: 0 });
});

it('rests on findings alone', () => {
  const texts = [
    'patient',
    'indication',
    'technique',
    'comparison',
    'findings',
    'measurements',
    'impression',
    'addendum',
  ];
  const sections = texts.map((key) => ({ key, title: key, text: `A cyst (${key}). No mass.` }));
  expect(listFindings(sections).map(({ section, text }) => `${section}: ${text}`)).toEqual([
    'findings: A cyst (findings).',
    'findings: No mass.',
    'measurements: A cyst (measurements).',
    'measurements: No mass.',
  ]);
});

interface Fact {
  readonly finding: number;
  readonly side: number;
  readonly place: number;
  readonly size: number;
  readonly unit: number;
  readonly sense: 'affirmed' | 'denied' | 'possible';
}

interface Words {
  readonly findings: readonly string[];
  readonly sides: readonly string[];
  readonly places: readonly string[];
  /** As a radiologist describes it, as the impression may shorten it, and with all words. */
  readonly long: (what: string, where: string, size: string, sense: Fact['sense']) => string;
  readonly short: readonly ((what: string, where: string, size: string, sense: Fact['sense']) => string)[];
  readonly whole: (what: string, where: string, size: string) => string;
  readonly where: (side: string, place: string) => string;
  readonly and: string;
}

const words: Readonly<Record<Language, Words>> = {
  'en-US': {
    findings: ['nodule', 'cyst', 'mass'],
    sides: ['right', 'left'],
    places: ['upper', 'lower'],
    where: (side, place) => `in the ${side} ${place} lobe`,
    long: (what, where, size, sense) =>
      ({
        affirmed: `There is a solid ${what} ${where}, measuring ${size}.`,
        denied: `There is no ${what} ${where}.`,
        possible: `Possible ${what} of ${size} ${where}.`,
      })[sense],
    short: [
      (what, where, size, sense) =>
        ({
          affirmed: `A ${what} of ${size} ${where}`,
          denied: `No ${what} ${where}`,
          possible: `Possible ${what} ${where}`,
        })[sense],
      (what, where, size, sense) =>
        ({
          affirmed: `${size} ${what} ${where}`,
          denied: `No ${what} ${where}`,
          possible: `Possible ${size} ${what} ${where}`,
        })[sense],
    ],
    whole: (what, where, size) => `Solid ${what} of ${size} ${where}`,
    and: 'and',
  },
  'pt-BR': {
    findings: ['nódulo', 'cisto', 'cálculo'],
    sides: ['direito', 'esquerdo'],
    places: ['superior', 'inferior'],
    where: (side, place) => `no lobo ${place} ${side}`,
    long: (what, where, size, sense) =>
      ({
        affirmed: `Observa-se ${what} sólido ${where}, medindo ${size}.`,
        denied: `Não se observa ${what} ${where}.`,
        possible: `Possível ${what} de ${size} ${where}.`,
      })[sense],
    short: [
      (what, where, size, sense) =>
        ({
          affirmed: `Presença de ${what} de ${size} ${where}`,
          denied: `Sem ${what} ${where}`,
          possible: `Possível ${what} ${where}`,
        })[sense],
      (what, where, size, sense) =>
        ({
          affirmed: `${what} ${where} medindo ${size}`,
          denied: `Ausência de ${what} ${where}`,
          possible: `Possível ${what} ${where}, de ${size}`,
        })[sense],
    ],
    whole: (what, where, size) => `${what} sólido de ${size} ${where}`,
    and: 'e',
  },
  'es-ES': {
    findings: ['nódulo', 'quiste', 'cálculo'],
    sides: ['derecho', 'izquierdo'],
    places: ['superior', 'inferior'],
    where: (side, place) => `en el lóbulo ${place} ${side}`,
    long: (what, where, size, sense) =>
      ({
        affirmed: `Se observa ${what} sólido ${where}, que mide ${size}.`,
        denied: `No se observa ${what} ${where}.`,
        possible: `Posible ${what} de ${size} ${where}.`,
      })[sense],
    short: [
      (what, where, size, sense) =>
        ({
          affirmed: `${what} de ${size} ${where}`,
          denied: `Sin ${what} ${where}`,
          possible: `Posible ${what} ${where}`,
        })[sense],
      (what, where, size, sense) =>
        ({
          affirmed: `Presencia de ${what} ${where} que mide ${size}`,
          denied: `Ausencia de ${what} ${where}`,
          possible: `Posible ${what} ${where}, de ${size}`,
        })[sense],
    ],
    whole: (what, where, size) => `${what} sólido de ${size} ${where}`,
    and: 'y',
  },
};

const fact: fc.Arbitrary<Fact> = fc.record({
  finding: fc.nat(2),
  side: fc.nat(1),
  place: fc.nat(1),
  size: fc.constantFrom(4, 6, 12),
  unit: fc.nat(1),
  sense: fc.constantFrom('affirmed', 'denied', 'possible'),
});
const sizeOf = ({ size, unit }: Fact): string => `${size} ${['mm', 'cm'][unit]}`;
const render = (
  { finding, side, place, ...rest }: Fact,
  language: Language,
  form: 'long' | 'whole' | number,
): string => {
  const { findings, sides, places, where, short, ...forms } = words[language];
  const say = typeof form === 'string' ? forms[form] : short[form]!;
  return say(
    findings[finding]!,
    where(sides[side]!, places[place]!),
    sizeOf({ finding, side, place, ...rest }),
    rest.sense,
  );
};
/** Whether two facts are the same, as far as a sentence of this form says. */
const isSame = (a: Fact, b: Fact, language: Language, form: 'whole' | number): boolean =>
  render(a, language, form) === render(b, language, form);

describe.each(languages)('any sentence about findings (%s)', (language) => {
  it('is taken exactly where the findings have all of its facts', () =>
    fc.assert(
      fc.property(fc.array(fact, { minLength: 1, maxLength: 4 }), fact, fc.nat(1), (known, said, form) => {
        const findings = known.map((each) => render(each, language, 'long')).join(' ');
        const isKnown = known.some((each) => isSame(each, said, language, form));
        expect(isTaken(findings, render(said, language, form), language)).toBe(isKnown);
      }),
    ));

  it('may join what several say, each with its own facts', () =>
    fc.assert(
      fc.property(fc.array(fact, { minLength: 1, maxLength: 4 }), fact, fact, fc.boolean(), (all, a, b, isHalf) => {
        const affirmed = (each: Fact): Fact => ({ ...each, sense: 'affirmed' });
        const known = [...all.map(affirmed), affirmed(a)];
        const findings = known.map((each) => render(each, language, 'long')).join(' ');
        const text = [a, b]
          .map((each) => render(affirmed(each), language, 'whole'))
          .join(isHalf ? '; ' : ` ${words[language].and} `);
        const isKnown = known.some((each) => isSame(each, affirmed(b), language, 'whole'));
        expect(isTaken(findings, text, language)).toBe(isKnown);
      }),
    ));

  it('brings no word or figure that the findings lack, in whatever order words come', () =>
    fc.assert(
      fc.property(
        fc.array(fact, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('9', 'km', 'sarcoma', 'hypodense', 'T2', 'XVII', 'IVb', '80%', '12/03/2024'),
        fc.infiniteStream(fc.nat(1000)),
        (known, foreign, at) => {
          const findings = known.map((each) => render(each, language, 'long')).join(' ');
          const said = findings.replace(/[.,]/g, '').split(' ');
          const next = (): number => at.next().value ?? 0;
          const start = next() % said.length;
          const text = said.slice(start, start + 1 + (next() % 12));
          text.splice(next() % (text.length + 1), 0, foreign);
          expect(isTaken(findings, text.join(' '), language)).toBe(false);
        },
      ),
    ));
});
