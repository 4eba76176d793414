/** The words of all views but the first screen: they come with those views. */
export { clinical } from './clinical.ts';
export { cosign } from './cosign.ts';
export { distribution } from './distribution.ts';
export { document } from './document.ts';
export { exam } from './exam.ts';
export { impression } from './impression.ts';
export { jobs } from './jobs.ts';
export { macros } from './macros.ts';
export { owned } from './owned.ts';
export { pin } from './pin.ts';
export { priors } from './priors.ts';
export { recorder } from './recorder.ts';
export { settings } from './settings.ts';
export { signing } from './signing.ts';
export { statistics } from './statistics.ts';
export { versions } from './versions.ts';
export { vocabulary } from './vocabulary.ts';
