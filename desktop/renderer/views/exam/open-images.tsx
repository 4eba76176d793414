/** The link to an exam's images, in the viewer that the operator named. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Viewer } from '../../../../src/contract/viewer.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { findImages } from '../../../../src/domain/viewer-address.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { bridge, login } from '../../state/bridge.ts';
import { isOnline } from '../../state/session.ts';

export function OpenImages({ item }: { item: WorklistItem }) {
  const address = findImages(useViewers(), item);
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

/** The viewers, as last read from the service. */
function useViewers(): readonly Viewer[] {
  const known = useSignal<readonly Viewer[]>([]);
  useEffect(() => {
    void bridge()
      .call('viewers.list', {})
      .then(
        ({ items }) => (known.value = items),
        () => undefined,
      );
  }, [login.value.id, isOnline.value]);
  return known.value;
}
