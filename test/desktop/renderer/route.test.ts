import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { panes, parseRoute, sheets, writeRoute } from '../../../desktop/renderer/state/route.ts';

test('an address leads back to where it was written', () => {
  const item = fc.stringMatching(/^[\w-]{1,64}$/);
  fc.assert(
    fc.property(
      fc.option(item),
      fc.constantFrom(...panes),
      fc.option(fc.constantFrom(...sheets)),
      fc.option(item),
      (itemId, pane, sheet, pair) => {
        const shown = pair !== null ? 'document' : itemId === null ? 'list' : pane;
        const route = { itemId, pane: shown, sheet, pair } as const;
        expect(parseRoute(writeRoute(route))).toEqual(route);
      },
    ),
  );
});

test.each([
  '',
  '#',
  '#/',
  '#/exam',
  '#/exam/',
  '#/exam/a b',
  '#/other/1',
  '#/exam/<script>',
  '#?nothing',
  '#/report',
  '#/report/a b',
])('%s shows the list', (hash) => {
  expect(parseRoute(hash)).toEqual({ itemId: null, pane: 'list', sheet: null, pair: null });
});
