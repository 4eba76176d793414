/** Settings of all kinds that read worklist formats. */
import { string } from '../../../../src/contract/schema.ts';

export const readingSettings = {
  encoding: string({
    minLength: 1,
    maxLength: 40,
    description: 'Encoding of the texts, such as `windows-1252`. Default: what they say or show.',
  }),
  time_zone: string({
    minLength: 1,
    maxLength: 60,
    description:
      'Zone of times that name none, such as `America/Sao_Paulo`. Default: that of the mapping, else that of the server.',
  }),
} as const;
