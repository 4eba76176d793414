/** The speech models that this computer has or could have: their description, installation progress and actions. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SpeechModel } from '../../../bridge/models.ts';
import { fileSize } from '../../i18n/format.ts';
import { languageChoices, t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Banner, Progress, Skeleton } from '../../parts/states.tsx';
import { needsSetupCode, changeModel, followModels, models, modelsProblem, setupCode } from '../../state/models.ts';
import { isTestMode } from '../../state/session.ts';

export function SpeechModels() {
  useEffect(followModels, []);
  const state = models.value;
  if (!state) {
    return modelsProblem.value === undefined ? (
      <Skeleton rows={2} label={t('app.loading')} />
    ) : (
      <p>{modelsProblem.value}</p>
    );
  }
  const { items, recogniser, fixed, memory } = state;
  const inUse = items.find(({ id }) => recogniser === `local:${id}`)?.id ?? recogniser;
  return (
    <>
      <p class="field-note">{t('settings.speech_lead')}</p>
      <p role="status">
        {inUse === null ? t('settings.speech_nothing') : t('settings.speech_now', { name: inUse })}{' '}
        {isTestMode.value && t('settings.speech_test')}
      </p>
      {fixed && (
        <Banner tone="info" icon="info">
          {t('settings.speech_fixed')}
        </Banner>
      )}
      {needsSetupCode() && (
        <TextField
          label={t('login.setup_code')}
          hint={t('login.setup_code_needed')}
          placeholder="XXXXX-XXXXX"
          verbatim
          autocomplete="off"
          value={setupCode.value.text}
          error={setupCode.value.isWrong ? t('login.setup_code_needed') : undefined}
          onValue={(text) => (setupCode.value = { text, isWrong: false })}
        />
      )}
      {items.length === 0 && <p>{t('settings.speech_none', { memory: fileSize(memory) })}</p>}
      <ul class="models">
        {items.map((model, at) => (
          <Model
            key={model.id}
            model={model}
            isBest={at === 0 && items.length > 1}
            isUsedNext={recogniser === null && !fixed}
            mayUse={!fixed}
          />
        ))}
      </ul>
    </>
  );
}

function Model(props: { model: SpeechModel; isBest: boolean; isUsedNext: boolean; mayUse: boolean }) {
  const { model, isBest } = props;
  const { id, state, work, problem } = model;
  return (
    <li aria-label={id}>
      <div class="model-head">
        <strong>{id}</strong>
        {model.in_use ? (
          <Chip tone="ok" dot>
            {t('settings.speech_in_use')}
          </Chip>
        ) : state === 'available' ? (
          isBest && <Chip>{t('settings.speech_recommended')}</Chip>
        ) : (
          <Chip tone={state === 'damaged' ? 'warn' : 'plain'}>{t(`settings.speech_${state}`)}</Chip>
        )}
      </div>
      <p>{formatFacts(model)}</p>
      {work && <Work work={work} />}
      {problem && !work && (
        <p class="field-note field-error" role="alert">
          <Icon name="warn" size={14} />
          <span>{problemText(problem)}</span>
        </p>
      )}
      <Actions {...props} />
    </li>
  );
}

function Actions({
  model: { id, state, work, in_use, archive_bytes, fetched_bytes },
  isBest,
  isUsedNext,
  mayUse,
}: Parameters<typeof Model>[0]) {
  const isAsked = useSignal(false);
  const change = (what: Parameters<typeof changeModel>[0]) => () => {
    isAsked.value = false;
    void changeModel(what, id);
  };
  if (work) {
    const mayCancel = work.step !== 'opening' && work.step !== 'removing';
    return (
      <div class="model-actions">
        {mayCancel && <Button onClick={change('cancel')}>{t('settings.speech_cancel')}</Button>}
      </div>
    );
  }
  if (isAsked.value) {
    return (
      <div class="model-actions">
        <Button kind="danger" icon="trash" onClick={change('remove')}>
          {t('settings.speech_remove_named', { name: id })}
        </Button>
        <Button onClick={() => (isAsked.value = false)}>{t('settings.speech_keep')}</Button>
      </div>
    );
  }
  const isKept = state !== 'available' || fetched_bytes > 0;
  return (
    <div class="model-actions">
      {state !== 'installed' && archive_bytes !== null && (
        <Button kind={isBest ? 'primary' : 'plain'} icon="download" onClick={change('install')}>
          {fetched_bytes > 0
            ? t('settings.speech_go_on', { done: fileSize(fetched_bytes), all: fileSize(archive_bytes) })
            : t(isUsedNext ? 'settings.speech_fetch_use' : 'settings.speech_fetch')}
        </Button>
      )}
      {state === 'installed' && !in_use && mayUse && (
        <Button kind="primary" icon="check" onClick={change('use')}>
          {t('settings.speech_use')}
        </Button>
      )}
      {isKept && (mayUse || !in_use) && (
        <Button kind="bare" icon="trash" onClick={() => (isAsked.value = true)}>
          {t('settings.speech_remove')}
        </Button>
      )}
    </div>
  );
}

/** The progress of the work. */
export function Work({ work: { step, done, of } }: { work: NonNullable<SpeechModel['work']> }) {
  const isCounted = of !== null && done > 0;
  const words = t(`settings.speech_${step}`);
  return (
    <div class="model-work">
      <Progress value={isCounted ? done / of : null} label={words} />
      <span>
        {isCounted ? `${words}: ${t('settings.speech_part', { done: fileSize(done), all: fileSize(of) })}` : words}
      </span>
    </div>
  );
}

/** The facts that matter for choosing the model. */
export function formatFacts({
  languages,
  live,
  archive_bytes,
  bytes,
  state,
  memory_bytes,
  licence,
}: SpeechModel): string {
  const names = languages.map((code) => languageChoices.find(({ value }) => value === code)?.label ?? code);
  const size = state === 'available' ? archive_bytes : (bytes ?? archive_bytes);
  return [
    names.join(', '),
    live === null ? '' : t(live ? 'settings.speech_live' : 'settings.speech_pauses'),
    size === null
      ? ''
      : t(state === 'available' ? 'settings.speech_size' : 'settings.speech_disk', { size: fileSize(size) }),
    memory_bytes === null ? '' : t('settings.speech_memory', { size: fileSize(memory_bytes) }),
    licence === null ? t('settings.speech_licence_unknown') : t('settings.speech_licence', { name: licence }),
  ]
    .filter((fact) => fact !== '')
    .join('\u00a0· ');
}

const problems = {
  NETWORK: 'settings.speech_no_network',
  BAD_ANSWER: 'settings.speech_other_file',
  DATA_DAMAGED: 'settings.speech_other_file',
  NOT_FOUND: 'settings.speech_not_given',
  FORBIDDEN: 'settings.speech_not_given',
  REQUEST_IN_PROGRESS: 'settings.speech_busy',
} as const;

function problemText({ code, message, hint, free_bytes, needed_bytes }: NonNullable<SpeechModel['problem']>): string {
  if (free_bytes !== null && needed_bytes !== null) {
    return t('settings.speech_no_room', { free: fileSize(free_bytes), needed: fileSize(needed_bytes) });
  }
  const known = Object.hasOwn(problems, code) ? problems[code as keyof typeof problems] : undefined;
  return known ? t(known) : [message, hint].filter((part) => part !== null).join(' ');
}
