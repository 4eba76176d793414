/** The link to an exam's images, in the viewer that the operator named. */
import { useEffect } from 'preact/hooks';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { findImages } from '../../../../src/domain/viewer-address.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { followViewers, viewers } from '../../state/operator-lists.ts';

export function OpenImages({ item }: { item: WorklistItem }) {
  useEffect(followViewers, []);
  const address = findImages(viewers.value, item);
  if (address === undefined) return null;
  // One window for all exams. A program on this computer needs none.
  const window = address.startsWith('http') ? { target: 'laudio-viewer' } : {};
  return (
    <a class="button button-plain open-images" href={address} referrerpolicy="no-referrer" {...window}>
      <Icon name="exam" />
      <span class="button-text">{t('exam.open_images')}</span>
    </a>
  );
}
