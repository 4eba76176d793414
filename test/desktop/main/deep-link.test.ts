import { describe, expect, test } from 'vitest';
import { pageAddress, linkAmong, linkedPlace } from '../../../desktop/main/deep-link.ts';
import { isOwnPage } from '../../../desktop/main/guards.ts';
import { parseRoute } from '../../../desktop/renderer/state/route.ts';

describe('a link', () => {
  test.each([
    ['laudio://exam/itm_01J', '/exam/itm_01J'],
    ['laudio://exam/itm_01J/', '/exam/itm_01J'],
    ['LAUDIO://EXAM/itm_01J', '/exam/itm_01J'],
    ['laudio://exam?accession=SL-1', '/exam?accession=SL-1'],
    ['laudio://exam/?accession=SL%201&patient_id=42', '/exam?accession=SL%201&patient_id=42'],
    ['laudio://exam?study_uid=1.2.3&other=x', '/exam?study_uid=1.2.3'],
    ['laudio://exam?patient_name=Silva', undefined],
    ['laudio://exam?accession=', undefined],
    [`laudio://exam?accession=${'1'.repeat(129)}`, undefined],
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
  ])('%s → %s', (link, place) => {
    expect(linkedPlace(link)).toBe(place);
  });

  test('is found among the arguments that the system starts the app with', () => {
    expect(linkAmong(['/opt/Laudio/laudio', '--flag', 'laudio://exam/itm_1'])).toBe('laudio://exam/itm_1');
    expect(linkAmong(['/opt/Laudio/laudio', 'laudio://app/x'])).toBeUndefined();
  });

  test('leads to the page at that exam', () => {
    const address = pageAddress('/exam/itm_1');
    expect(isOwnPage(address)).toBe(true);
    expect(parseRoute(new URL(address).hash)).toMatchObject({ itemId: 'itm_1', pane: 'exam' });
    // The page itself is the same, so that nothing is loaded anew.
    expect(address.split('#')[0]).toBe(pageAddress(undefined));
  });
});
