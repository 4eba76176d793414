import { describe, expect, test } from 'vitest';
import { addressOfExam, linkAmong, linkedExam } from '../../../desktop/main/deep-link.ts';
import { isOwnPage } from '../../../desktop/main/guards.ts';
import { parseRoute } from '../../../desktop/renderer/state/route.ts';

describe('a link', () => {
  test.each([
    ['laudio://exam/itm_01J', 'itm_01J'],
    ['laudio://exam/itm_01J/', 'itm_01J'],
    ['LAUDIO://EXAM/itm_01J', 'itm_01J'],
    ['laudio://exam/', undefined],
    ['laudio://exam/a/b', undefined],
    ['laudio://exam/../app', undefined],
    ['laudio://exam/a?b=c', undefined],
    ['laudio://exam/a#b', undefined],
    ['laudio://exam/%2e%2e', undefined],
    [`laudio://exam/${'a'.repeat(65)}`, undefined],
    ['laudio://app/', undefined],
    ['laudio://exam@evil/itm', undefined],
    ['https://exam/itm', undefined],
    ['--exam=laudio://exam/itm', undefined],
    ['', undefined],
  ])('%s → %s', (link, id) => {
    expect(linkedExam(link)).toBe(id);
  });

  test('is found among the arguments that the system starts the app with', () => {
    expect(linkAmong(['/opt/Laudio/laudio', '--flag', 'laudio://exam/itm_1'])).toBe('laudio://exam/itm_1');
    expect(linkAmong(['/opt/Laudio/laudio', 'laudio://app/x'])).toBeUndefined();
  });

  test('leads to the page at that exam', () => {
    const address = addressOfExam('itm_1');
    expect(isOwnPage(address)).toBe(true);
    expect(parseRoute(new URL(address).hash)).toMatchObject({ itemId: 'itm_1', pane: 'exam' });
    // The page itself is the same, so that nothing is loaded anew.
    expect(address.split('#')[0]).toBe(addressOfExam(undefined));
  });
});
