/** All settings. A change takes effect at once, without confirmation. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AppSettings } from '../../../bridge/settings.ts';
import type { Template } from '../../../../src/contract/template.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Segmented, Select } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { duration } from '../../i18n/format.ts';
import { languageChoices, shownLanguage, t } from '../../i18n/index.ts';
import { bridge } from '../../state/bridge.ts';
import { hub } from '../../state/hub.ts';
import { localDictations } from '../../state/jobs.ts';
import { closeSheet, openSheet } from '../../state/route.ts';
import { isTestMode, logOut, session, userName, waitingChanges } from '../../state/session.ts';
import { changeSettings, settings } from '../../state/settings.ts';
import { dictionaryOf } from '../../state/spelling/dictionaries.ts';
import { settingsSection, settingsSections } from '../../state/settings-section.ts';
import type { SettingsSection } from '../../state/settings-section.ts';
import { bytesPerSample } from '../../../bridge/sound.ts';
import { getInitials } from '../app/top-bar.tsx';
import { updates } from '../../state/updates.ts';
import { homePlace } from '../app/home-place.ts';
import { keyName } from '../app/key-name.ts';
import { isOwnComputer } from '../recorder/where.ts';
import { Hotkeys } from './hotkeys.tsx';
import { MicrophoneTest } from './microphone-test.tsx';
import { OwnPin } from './own-pin.tsx';
import { NotificationChoice } from './notifications.tsx';
import { SpeechModels } from './speech-models.tsx';
import { Targets } from './targets.tsx';
import { Templates } from './templates.tsx';
import { Updates } from './updates.tsx';

const icons: Readonly<Record<SettingsSection, IconName>> = {
  profile: 'person',
  microphone: 'microphone',
  dictation: 'document',
  targets: 'clock',
  speech: 'computer',
  templates: 'template',
  hotkeys: 'keyboard',
  look: 'settings',
  storage: 'lock',
  updates: 'download',
};

export function Settings({ open, onClose }: { open: boolean; onClose: () => void }) {
  const section = settingsSection;
  const chosen = settings.value;
  const isShown = (name: SettingsSection): boolean =>
    name === 'updates' ? updates.value !== undefined : name === 'speech' ? isOwnComputer() : true;
  const shown = settingsSections.filter(isShown);
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the sections are a line that is longer than the screen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open, chosen !== undefined, section.value]);
  return (
    <Dialog open={open && chosen !== undefined} title={t('app.settings')} size="l" onClose={onClose}>
      {chosen !== undefined && (
        <div class="settings">
          <nav class="settings-nav" ref={nav} aria-label={t('settings.sections')}>
            {shown.map((name) => (
              <button
                key={name}
                type="button"
                aria-current={name === section.value}
                onClick={() => (section.value = name)}
              >
                <Icon name={icons[name]} />
                {t(`settings.section_${name}`)}
              </button>
            ))}
          </nav>
          <section class="settings-body" aria-label={t(`settings.section_${section.value}`)}>
            <h3>{t(`settings.section_${section.value}`)}</h3>
            {section.value === 'profile' && <Profile />}
            {section.value === 'microphone' && <MicrophoneTest device={chosen.microphone} />}
            {section.value === 'dictation' && <DictationChoices chosen={chosen} />}
            {section.value === 'targets' && <Targets />}
            {section.value === 'speech' && <SpeechModels />}
            {section.value === 'templates' && <Templates />}
            {section.value === 'hotkeys' && <Hotkeys keys={chosen.keys} />}
            {section.value === 'look' && <Look chosen={chosen} />}
            {section.value === 'storage' && <Storage chosen={chosen} />}
            {section.value === 'updates' && updates.value && <Updates state={updates.value} />}
          </section>
        </div>
      )}
    </Dialog>
  );
}

function Profile() {
  const { place, server } = session.value ?? {};
  const name = userName.value ?? '';
  const where = place === 'service' ? (server ?? '') : place === 'test' ? t('login.test') : homePlace();
  return (
    <>
      <div class="profile">
        <span class="me me-large" aria-hidden="true">
          {getInitials(name)}
        </span>
        <div>
          <strong>{name}</strong>
          <span>{where}</span>
        </div>
      </div>
      {isTestMode.value && <p class="field-note">{t('app.test_mode_title')}</p>}
      <OwnPin />
      <p class="field-note">{t('settings.profile_hint')}</p>
      <Button icon="leave" onClick={() => (closeSheet(), void logOut())}>
        {t('settings.switch_profile')}
      </Button>
    </>
  );
}

function DictationChoices({ chosen }: { chosen: AppSettings }) {
  const templates = useSignal<readonly Template[]>([]);
  const language = chosen.document_language;
  useEffect(() => {
    let current = true;
    bridge()
      .call('templates.list', { language })
      .then(
        ({ items }) => current && (templates.value = items),
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [language, templates]);
  return (
    <>
      <Select
        label={t('settings.document_language')}
        hint={t('settings.document_language_hint')}
        value={language}
        choices={languageChoices}
        onValue={(value) => void changeSettings({ document_language: value })}
      />
      <Select
        label={t('settings.template')}
        hint={t('settings.template_hint')}
        value={chosen.template_id ?? ''}
        choices={[
          { value: '', label: t('settings.template_none') },
          ...templates.value.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValue={(value) => void changeSettings({ template_id: value === '' ? null : value })}
      />
      <Select
        label={t('settings.upload_format')}
        hint={t(`settings.upload_${chosen.upload_format}_hint`)}
        value={chosen.upload_format}
        choices={[
          { value: 'wav', label: t('settings.upload_wav') },
          { value: 'opus', label: t('settings.upload_opus') },
        ]}
        onValue={(value) => void changeSettings({ upload_format: value })}
      />
      <Select
        label={t('settings.live_words')}
        hint={t('settings.live_words_hint')}
        value={chosen.live_words ? 'on' : 'off'}
        choices={(['on', 'off'] as const).map((value) => ({ value, label: t(`settings.live_words_${value}`) }))}
        onValue={(value) => void changeSettings({ live_words: value === 'on' })}
      />
      <Select
        label={t('settings.voice_commands')}
        hint={t('settings.voice_commands_hint')}
        value={chosen.voice_commands ? 'on' : 'off'}
        choices={(['on', 'off'] as const).map((value) => ({ value, label: t(`settings.voice_commands_${value}`) }))}
        onValue={(value) => void changeSettings({ voice_commands: value === 'on' })}
      />
      <Button icon="microphone" onClick={() => openSheet('voice')}>
        {t('voice.title')}
      </Button>
      <Select
        label={t('settings.grace')}
        hint={t('settings.grace_hint')}
        value={String(chosen.grace_seconds)}
        choices={[...new Set([...graceChoices, chosen.grace_seconds])]
          .toSorted((a, b) => a - b)
          .map((n) => ({
            value: String(n),
            label: n === 0 ? t('settings.grace_none') : t('settings.grace_seconds', { n }),
          }))}
        onValue={(value) => void changeSettings({ grace_seconds: Number(value) })}
      />
      <Select
        label={t('settings.spell_check')}
        hint={t(dictionaryOf(language) === null ? 'settings.spell_check_none' : 'settings.spell_check_hint')}
        value={chosen.spell_check ? 'on' : 'off'}
        choices={(['on', 'off'] as const).map((value) => ({ value, label: t(`settings.spell_check_${value}`) }))}
        onValue={(value) => void changeSettings({ spell_check: value === 'on' })}
      />
      {updates.value && (
        <Select
          label={t('anywhere.title')}
          hint={t('anywhere.hint', { key: keyName(chosen.keys.anywhere) })}
          value={chosen.anywhere ?? ''}
          choices={[{ value: '', label: t('anywhere.off') }, ...languageChoices]}
          onValue={(value) => void changeSettings({ anywhere: value === '' ? null : value })}
        />
      )}
      <Select
        label={t('viewer.setting')}
        hint={describeLink(chosen.follow_viewer)}
        value={chosen.follow_viewer ? 'on' : 'off'}
        choices={(['on', 'off'] as const).map((value) => ({ value, label: t(`viewer.setting_${value}`) }))}
        onValue={(value) => void changeSettings({ follow_viewer: value === 'on' })}
      />
      <Button icon="template" onClick={() => openSheet('macros')}>
        {t('app.macros')}
      </Button>
    </>
  );
}

/** The effect of the choice, or the state of the link. */
function describeLink(isFollowed: boolean): string {
  const { link = 'off', fault = null, others = false, apart = null } = hub.value ?? {};
  if (!isFollowed || link === 'off') return t('viewer.setting_hint');
  if (fault) return [t(`viewer.fault_${fault.why}`), fault.message].filter(Boolean).join(' ');
  if (apart) return t('viewer.apart_title');
  if (link === 'joined') return t(others ? 'viewer.linked_title' : 'viewer.setting_alone');
  return t('viewer.setting_joining');
}

function Look({ chosen }: { chosen: AppSettings }) {
  return (
    <>
      <div class="field">
        <span class="field-label">{t('settings.theme')}</span>
        <Segmented
          label={t('settings.theme')}
          value={chosen.theme}
          choices={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`settings.theme_${value}`),
          }))}
          onValue={(theme) => void changeSettings({ theme })}
        />
      </div>
      <Select
        label={t('app.language')}
        value={chosen.locale ?? shownLanguage()}
        choices={languageChoices}
        onValue={(locale) => void changeSettings({ locale })}
      />
      <NotificationChoice />
    </>
  );
}

const graceChoices = [0, 15, 30, 60, 120, 300, 600];
const lockChoices = [0, 2, 5, 10, 15, 30, 60];

function Storage({ chosen }: { chosen: AppSettings }) {
  const local = localDictations.value;
  const seconds = local.reduce((sum, dictation) => sum + dictation.seconds, 0);
  const bytes = local.reduce((sum, { seconds, sample_rate }) => sum + seconds * sample_rate * bytesPerSample, 0);
  const megabytes = (bytes / 1e6).toLocaleString(shownLanguage(), { maximumFractionDigits: bytes < 1e7 ? 1 : 0 });
  const minutes = chosen.lock_after_minutes;
  return (
    <>
      <Select
        label={t('settings.lock_after')}
        hint={t('settings.lock_after_hint')}
        value={String(minutes)}
        choices={[...new Set([...lockChoices, minutes])]
          .toSorted((a, b) => a - b)
          .map((value) => ({
            value: String(value),
            label: value === 0 ? t('settings.lock_never') : t('settings.lock_minutes', { n: value }),
          }))}
        onValue={(value) => void changeSettings({ lock_after_minutes: Number(value) })}
      />
      <dl class="facts-list">
        <div>
          <dt>{t('settings.kept')}</dt>
          <dd>
            {local.length === 0
              ? t('settings.kept_none')
              : t('settings.kept_some', { n: local.length, time: duration(seconds), size: megabytes })}
          </dd>
        </div>
        <div>
          <dt>{t('settings.unsent')}</dt>
          <dd>
            {waitingChanges.value === 0 ? t('settings.unsent_none') : t('app.waiting', { n: waitingChanges.value })}
          </dd>
        </div>
      </dl>
      <p class="field-note">{t('settings.kept_hint')}</p>
      <p class="field-note">{t('settings.privacy_hint')}</p>
    </>
  );
}
