/** Parts that the calls of channels and of their messages share. */
import { freeForm, meanings, nullable, object, oneOf, string } from './schema.ts';
import { exampleId } from './shared.ts';

/** The direction of messages: `in` to this server, `out` of it. */
export const channelDirections = ['in', 'out'] as const;
export const direction = oneOf(channelDirections, {
  description: meanings('Which way messages go.', {
    in: 'another system sends orders to this server, or is asked for them',
    out: 'this server sends documents to another system',
  }),
});

export const mapping = nullable(
  freeForm({
    description:
      'Which fields of the other system become which fields of an exam, as `--mapping` of an ingest has it. `null`: the usual ones.',
    'x-text': 'free',
    'x-max-weight': 256_000,
  }),
);

export const byChannel = {
  params: object({
    channel: string({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'Name or id of the channel.',
      examples: ['ris-orders', exampleId('chn')],
    }),
  }),
};
export const admin = { access: 'admin', answer: 'envelope', extension: true } as const;
