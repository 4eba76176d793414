/** The OpenAPI document of this program, as everybody gets it. */
import { contract } from '../../src/contract/index.ts';
import { createFixedContent } from '../../src/node/http/fixed-content.ts';
import type { FixedContent } from '../../src/node/http/fixed-content.ts';
import { openapiDocument } from './openapi.ts';

export const describeApi = (version: string): FixedContent =>
  createFixedContent(() => JSON.stringify(openapiDocument(contract, version)), {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-cache',
  });
