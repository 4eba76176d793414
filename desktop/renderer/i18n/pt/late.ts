/** The words of views that are opened now and then: they come with those views. */
export { clinical } from './clinical.ts';
export { distribution } from './distribution.ts';
export { macros } from './macros.ts';
export { owned } from './owned.ts';
export { priors } from './priors.ts';
export { statistics } from './statistics.ts';
export { vocabulary } from './vocabulary.ts';
