/**
 * Names of persons in medical terms, which recognisers write in lower case: the same in every language. None is an
 * ordinary word of any of our languages.
 */
import { fold, phraseList } from '../../domain/fold.ts';

const names = `
  Achilles, Agatston, Alzheimer, Amyand, Apgar, Aquiles, Arnold-Chiari, Aschoff, Baker, Balthazar, Bankart, Barrett, Bartholin,
  Battle, Bazett, Behçet, Bennett, Bigliani, Bismuth, Blumberg, Bochdalek, Böhler, Bosniak, Bouchard, Bourneville, Bowen, Breslow, Broca,
  Brugada, Budd-Chiari, Buford, Burkitt, Caroli, Caton-Deschamps, Chagas, Chiari, Child-Pugh, Chopart, Clark, Cobb, Colles, Cooper,
  Couinaud, Creutzfeldt-Jakob, Crohn, Cushing, Dandy-Walker, DeBakey, Deauville, Doppler, Douglas, Dupuytren, Ebstein,
  Eisenmenger, Evans, Ewing, Fallot, Fazekas, Fitzpatrick, Fleischner, Forestier, Freiberg, Galeazzi, Galant, Gartner, Gerdy, Gerota,
  Gissane, Glasgow, Gleason, Goutallier, Graf, Greulich, Guyon, Haglund, Hampton, Hashimoto, Heberden, Heubner, Hill-Sachs, Hirschsprung, Babinski, Kernig, Brudzinski, Giordano, Rovsing,
  Hodgkin, Hoffa, Hounsfield, Huntington, Insall-Salvati, Jefferson, Kaposi, Kartagener, Kawasaki, Kellgren-Lawrence,
  Kellgren, Kerley, Lawrence, Kienböck, Klatskin, Krukenberg, Lachman, Langerhans, Lasègue, Legg-Calvé-Perthes, Leriche, Lisfranc, Luschka, Magendie,
  Maisonneuve, Marfan, McBurney, McMurray, Meckel, Ménière, Meyerding, Mirizzi, Mobitz, Modic, Monro, Monteggia, Morgagni, Morison, Morton,
  Murphy, Naboth, Neer, Oddi, Osgood-Schlatter, Outerbridge, Paget, Parkinson, Pellegrini-Stieda, Perthes, Peyronie, Pfirrmann, Phalen, Pyle, Ranson,
  Rathke, Raynaud, Recklinghausen, Rinne, Reiter, Rockwood, Rokitansky, Romanus, Romberg, Rosenmüller, Salter-Harris, Santorini, Scheuermann,
  Schmorl, Segond, Simpson, Sjögren, Spitz, Stanford, Stener, Sturge-Weber, Takayasu, Tarlov, Tanner, Teichholz, Tinel, Todani, Tönnis,
  Treitz, Valsalva, Vater, Virchow-Robin, Virchow, von Hippel-Lindau, Warthin, Wegener, Wenckebach, Wernicke, Wharton, Wiberg,
  Willis, Wilms, Wirsung, Wolff-Parkinson-White, Wrisberg, Zenker,
  Amsler, Asherman, Bethesda, Billroth, Blalock-Taussig, Blount, Charcot, Codman, Crawford, Dieulafoy, Edwards, Ficat, Fontan, Forrest,
  Framingham, Frykman, Fuhrman, Ghon, Goldmann, Gustilo, Hadlock, Hartmann, Holter, Hürthle, Jatene, Klippel-Feil, Köhler, Lauge-Hansen,
  Le Fort, Lemierre, Mallory-Weiss, Mikulicz, Nissen, Nottingham, Osler, Panner, Patau, Pauwels, Peutz-Jeghers, Riedel,
  Savary-Miller, Schatzker, Schatzki, Schirmer, Snellen, Sprengel, Sudeck, Turner, Whipple, Zollinger-Ellison
`;

/** Phrase (folded) → its written form; English has possessives of them. */
export const eponyms: readonly (readonly [phrase: string, written: string])[] = phraseList(names).flatMap((name) =>
  ['', "'s", '’s'].map((ending) => [fold(name) + ending, name + ending] as const),
);
