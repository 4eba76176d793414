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
      (itemId, pane, sheet) => {
        const route = { itemId, pane: itemId === null ? 'list' : pane, sheet } as const;
        expect(parseRoute(writeRoute(route))).toEqual(route);
      },
    ),
  );
});

test.each(['', '#', '#/', '#/exam', '#/exam/', '#/exam/a b', '#/other/1', '#/exam/<script>', '#?nothing'])(
  '%s shows the list',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ itemId: null, pane: 'list', sheet: null });
  },
);
