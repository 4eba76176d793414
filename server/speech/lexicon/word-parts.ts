/** Parts of which medical words are built, without accents: forms that combine, and endings. */
import type { Language } from '../../../src/contract/shared.ts';
import { wordList } from '../../../src/domain/fold.ts';

export interface WordParts {
  readonly forms: readonly string[];
  readonly endings: readonly string[];
  /** Endings that make one word of another: "hemisférico" of "hemisfério". */
  readonly derivations: readonly string[];
}

/** Forms that Portuguese and Spanish share; most English ones are among them. */
const shared = `
  abdomino acetabulo acromio adeno adipo adreno angio ante antero antro aorto apico arterio arteriolo artro atero auriculo auto bi bili bio
  blasto bradi braqui bronco bronquio calcaneo capilaro carcino cardio cefalo cerebelo cerebro cervico cisto clavi colangio cole colecisto coledoco
  colo condilo condro coraco coronario cortico costo cranio craneo crio cubito deltoideo dermato dermo dextro dis dorso ducto duodeno eco ectro electro
  eletro embrio encefalo endo entero epi epidermo eritro escapulo esclero escroto esfeno esofago espleno espondilo esterno estomato etmo extra
  facio faringo fascio femoro fibro fibulo flebo foto fronto galacto ganglio gastro geni genito gineco glauco gleno glico glio gloso gluco granulo
  hemangio hemato hemi hemo hepato hetero hidro hiper hipo histero histo homo humero ileo ilio infero infra inguino inmuno imuno inter intra isquio
  juxta justa labio laparo laringo latero leio leuco levo linfo lipo lito lobo lombo lumbo luteo macro magneto malo mamo mandibulo masto maxilo
  medio mega melano meningo mento meso meta metro micro mielo mini mio mono morfo muco multi musculo naso necro nefro neo neumo neuro normo
  occipito oculo odonto oligo omento onco oniquio oo ooforo optico orbito oro orqui orquio ortho orto osteo oto ovario pan pancreato para parieto patelo
  pato pelvi peri perineo peroneo pielo pio pilo plasmo pleuro pluri pneumo podo poli post postero pos pre procto prostato proto pseudo pubo pulmo
  quadri queilo quilo quimio quisto radio recto reno reticulo reto retro rino rizo rotulo sacro salpingo sarco semi septo sero sialo sigmoido sin
  sino sobre somato sono sub super supero supra talo taqui tarso tele temporo tendino teno termo tetra tibio timo timpano tireo tiro toraco tracto
  trans traqueo tri trigono trombo tubulo turbino ulno ultra umero uni uretero uretro urino uro utero uvulo vaso vagino valvulo veno ventriculo ventro
  vertebro vesico vesiculo video viscero xanto xero zigomo
`;

const english = `
  abdomino acetabulo acromio adeno adreno anterior antero angio aorto arterio arteriolo arthro athero atrio auto bi bili bio brachy brachio brady broncho
  calcaneo capsulo carcino cardio cephalo cerebello cerebro cervico cheilo chemo cholangio chole cholecysto choledocho chondro coraco cortico costo
  cranio cryo cysto dacryo dermato dermo dextro dis dorso ductal duodeno dys echo electro embryo encephalo endo entero epi erythro esophago ethmo
  extra facio fasci femoro fibro fibulo fluoro fronto galacto ganglio gastro genito gleno glio glosso glyco granulo gyneco hemangio hemato hemi hemo
  hepato hetero histo homo hydro hyper hypo hystero ileo ilio immuno infero infra inguino inter intra ischio juxta kerato kypho labio laparo laryngo
  latero leio leuko levo lipo litho lobo lumbo lympho macro mammo mandibulo mast maxillo medio mega melano meningo mento meso meta micro mid mini mono morpho muco
  multi musculo myco myelo myo myringo naso necro neo nephro neuro non normo occipito oculo odonto oligo onco oophoro ophthalmo orbito orchi oro ortho osteo oto
  ovario over pan pancreato para parieto patello patho pelvi peri perineo phlebo photo pilo plasmo pleuro pluri pneumo poly post postero pre procto prostato
  proto pseudo pubo pulmo pyelo pyo quadri radio re recto reno retro rhino sacro salpingo sarco sclero scapulo semi sero sialo sigmoido sino somato sono
  spheno spleno spondylo sterno sub super supero supra syn tachy talo tarso tele temporo tendino teno tetra thermo thoraco thrombo thymo thyro tibio trachea
  tracheo trans tri tympano ulno ultra un under uni uretero urethro urino uro utero vaso veno ventriculo ventro vertebro vesico viscero xantho xero zygomatico
`;

const iberianEndings = `
  ite ites itis ose oses osis oma omas ectomia ectomias otomia tomia tomias ostomia ostomias scopia scopias copia grafia grafias grama gramas plastia plastias
  pexia rafia rafias centese centesis patia patias megalia megalias algia algias emia uria urias ptise ptose ptosis rreia rrea rragia rragias genese genesis genico genicos
  genica genicas geno gena lise lisis litiase litiasis malacia esclerose esclerosis trofia trofias trofico trofica plasia plasias plasico plasica plegia paresia estenose
  estenosis ectasia ectasias cele celes metria terapia tripsia tricia logia logico logica blastoma sarcoma fago forme formes oide oides oideo oidea ario aria
`;

const iberianDerivations = `
  ico ica icos icas al ais ales ar ares oso osa osos osas ado ada ados adas ido ida idos idas ivo iva ivos ivas ario aria arios arias cao coes cion ciones mente
  ante antes ente entes izado izada izados izadas ar ando ano ana anos anas eo ea eos eas
`;
const englishDerivations = `
  al ally ic ical ically ar ous ed es s ing ly ation ations ion ions ive ated ates ating e ity ized able ies ied
`;

const parts: Readonly<Record<Language, readonly [forms: string, endings: string, derivations: string]>> = {
  'pt-BR': [shared, iberianEndings, iberianDerivations],
  'es-ES': [shared, iberianEndings, iberianDerivations],
  'en-US': [
    english,
    `
      itis itides osis oses oma omas omata ectomy ectomies otomy tomy tomies ostomy ostomies scopy scopies scopic graphy graphies graphic gram grams plasty
      plasties pexy rrhaphy centesis pathy pathies pathic megaly algia emia uria ptysis ptosis rrhea rrhagia genesis genic lysis lithiasis malacia sclerosis
      trophy trophic plasia plastic plegia paresis stenosis ectasia ectasis cele celes metry therapy tripsy logy logic logical blastoma sarcoma oid form
    `,
    englishDerivations,
  ],
};

const sortByLength = (words: string): string[] => wordList(words).toSorted((a, b) => b.length - a.length);

/** The parts of the language's words; a word has at most a few forms before its ending. */
export function wordParts(language: Language): WordParts {
  const [forms, endings, derivations] = parts[language].map(sortByLength) as [string[], string[], string[]];
  return { forms, endings, derivations };
}
