/** The state of the link with the viewer: a quiet sign in the top bar, and a banner where report and viewer are apart. */
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Banner } from '../../parts/states.tsx';
import { hub, showInViewer } from '../../state/hub.ts';
import { openLinkedExam } from '../../state/linked-exam.ts';
import { openItemId } from '../../state/route.ts';

/** Nothing until another application is heard. */
export function ViewerSign() {
  const { link, others, apart } = hub.value ?? {};
  if (apart)
    return (
      <span class="top-viewer">
        <Chip tone="warn" icon="warn" title={t('viewer.apart_title')}>
          {t('viewer.apart')}
        </Chip>
      </span>
    );
  if (link !== 'joined' || !others) return null;
  return (
    <span class="top-place">
      <Chip tone="ok" dot title={t('viewer.linked_title')}>
        {t('viewer.linked')}
      </Chip>
    </span>
  );
}

export function ViewerBanner() {
  const { apart } = hub.value ?? {};
  if (!apart) return null;
  const { why, exam, message = '' } = apart;
  const mayGo = exam && why === 'dictating';
  return (
    <Banner
      tone="warn"
      icon="warn"
      alert
      action={
        why === 'lost' ? undefined : (
          <div class="banner-actions">
            {mayGo && <Button onClick={() => openLinkedExam(exam)}>{t('viewer.go')}</Button>}
            {openItemId.value !== null && <Button onClick={showInViewer}>{t('viewer.bring')}</Button>}
          </div>
        )
      }
    >
      {why === 'not_followed' ? t('viewer.apart_not_followed', { message }) : t(`viewer.apart_${why}`)}
    </Banner>
  );
}
