/** Asks which colleague receives the exam. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Colleague, WorklistItem } from '../../../../src/contract/worklist.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/field.tsx';
import { Banner, Progress } from '../../parts/states.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { handOverExam } from '../../state/worklist/worklist.ts';
import { errorParagraph } from '../../state/explain.ts';

export function HandOver({ item, onClose }: { item: WorklistItem; onClose: () => void }) {
  const colleagues = useSignal<readonly Colleague[] | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const chosen = useSignal<string>('');
  useEffect(() => {
    bridge()
      .call('worklist.colleagues', {})
      .then(
        ({ items }) => {
          colleagues.value = items.toSorted((a, b) => a.display_name.localeCompare(b.display_name));
          chosen.value = colleagues.value[0]?.id ?? '';
        },
        (thrown: unknown) => (error.value = errorParagraph(asBridgeError(thrown))),
      );
  }, [chosen, colleagues, error]);
  const to = colleagues.value?.find(({ id }) => id === chosen.value);
  const give = (): void => {
    if (!to) return;
    onClose();
    void handOverExam(item, to);
  };
  return (
    <Dialog
      open
      size="s"
      title={t('worklist.hand_over')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('app.close')}</Button>
          <Button kind="primary" disabled={to === undefined} onClick={give}>
            {t('worklist.give')}
          </Button>
        </>
      }
    >
      <p>
        {item.exam_description}, {item.display_name}
      </p>
      {error.value !== undefined && (
        <Banner tone="warn" icon="warn" alert>
          {error.value}
        </Banner>
      )}
      {error.value === undefined && colleagues.value === undefined && (
        <Progress value={null} label={t('app.loading')} />
      )}
      {colleagues.value?.length === 0 && <p>{t('worklist.no_colleagues')}</p>}
      {colleagues.value !== undefined && colleagues.value.length > 0 && (
        <Select
          label={t('worklist.colleague')}
          hint={t('worklist.hand_over_hint')}
          value={chosen.value}
          choices={colleagues.value.map(({ id, display_name }) => ({ value: id, label: display_name }))}
          onValue={(value) => (chosen.value = value)}
        />
      )}
    </Dialog>
  );
}
