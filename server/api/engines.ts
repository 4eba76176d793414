/** The call for the engines of the caller: recogniser and writer. */
import type { engines } from '../../src/contract/engine.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { Call } from '../http/call.ts';
import type { Recogniser } from '../speech/recogniser.ts';
import type { RecordDeps } from '../records/deps.ts';

export function engineRoutes({
  recognition,
  writer,
  jobs,
}: Pick<RecordDeps, 'recognition' | 'writer' | 'jobs'>): Handlers<typeof engines, Call> {
  return {
    async get(_input, { caller }) {
      const recogniser = recognition.findRecogniser(caller);
      return {
        status: 200,
        data: {
          recogniser: recogniser ? toEngine(recogniser) : null,
          writer: {
            name: writer.name,
            proposes_impressions: writer.proposeImpression !== undefined,
            ...(writer.sendsTo !== undefined && { sends_to: writer.sendsTo }),
          },
          ...(recogniser === recognition.findRecogniser({ test_mode: false }) && { queue: jobs.queue() }),
        },
      };
    },
  };
}

const toEngine = ({ name, simulated, live, sendsTo }: Recogniser) => ({
  name,
  simulated,
  live: live !== undefined,
  ...(sendsTo !== undefined && { sends_to: sendsTo }),
});
