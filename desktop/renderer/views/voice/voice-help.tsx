/** The list of spoken commands in the language of the report, from the table that recognises them. */
import { voiceCommandNames } from '../../../../src/domain/voice-command-names.ts';
import { listSayings, writtenCommands } from '../../../../src/domain/voice-commands.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { findDictation } from '../../state/recorder/dictations.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import { openItemId } from '../../state/route.ts';
import { openSettings } from '../../state/settings-section.ts';
import { settings } from '../../state/settings.ts';

export function VoiceHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const itemId = openItemId.value;
  const dictation = itemId === null ? null : findDictation(itemId);
  const language =
    dictation?.language ??
    openedReport.value?.document.record.value?.language ??
    settings.value?.document_language ??
    'en-US';
  const isOn = settings.value?.voice_commands === true && settings.value.live_words;
  const rows = [
    ...voiceCommandNames.map((name) => ({ name, sayings: listSayings(name, language) })),
    ...(['insert', 'go_to'] as const).map((name) => ({ name, sayings: [writtenCommands[name][language]] })),
  ];
  return (
    <Dialog
      open={open}
      title={t('voice.title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => openSettings('dictation')}>{t('voice.to_settings')}</Button>
          <Button icon="print" onClick={() => print()}>
            {t('voice.print')}
          </Button>
        </>
      }
    >
      <p class={isOn ? 'field-note' : 'field-note voice-off'}>{t(isOn ? 'voice.hint' : 'voice.off')}</p>
      {/* A low window scrolls them, by keyboard too. */}
      <div class="voice-commands" role="group" aria-label={t('voice.title')} tabIndex={0}>
        <dl>
          {rows.map(({ name, sayings: [first, ...others] }) => (
            <div key={name}>
              <dt lang={language}>
                <strong>{first}</strong>
                {others.length > 0 && <small>{others.slice(0, 2).join(' · ')}</small>}
              </dt>
              <dd>{t(`voice.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
