/** Recordings of calls to a service: `serve --record` and `serve --replay`. */
export { createRecorder } from './recorder.ts';
export { createReplay } from './replay.ts';
