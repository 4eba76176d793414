/** First run and login: three choices, with the fields that each needs. */
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { setupCodeNeeded } from '../../../bridge/session.ts';
import type { SessionState } from '../../../bridge/session.ts';
import type { CallInput } from '../../../bridge/calls.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { Banner } from '../../parts/states.tsx';
import { languageChoices, shownLanguage, t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { createFirstUser, logIn, session } from '../../state/session.ts';
import { waitingSound } from '../../state/recorder/waiting-sound.ts';
import { chooseLanguage } from '../app/page.ts';
import { leaveFor } from '../app/kept-address.ts';
import { Mark } from '../app/top-bar.tsx';
import { homePlace, isHere } from '../app/home-place.ts';
import { errorText, problemOfReturn } from './login-errors.ts';
import { deriveLoginName } from './login-name.ts';

type Step = 'choose' | 'service' | 'first-user' | 'elsewhere';

export function Login() {
  const step = useSignal<Step>('choose');
  const busy = useSignal<string | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  /** This server does not know the service yet: its operator has to allow it. */
  const codeAsked = useSignal(false);
  useEffect(() => {
    error.value = problemOfReturn();
  }, []);

  /** Runs a step of the login. If the login continues elsewhere, this page goes there or waits. */
  const attempt = async (
    name: NonNullable<SessionState['place']> | 'first-user',
    action: () => Promise<string | null>,
  ): Promise<void> => {
    busy.value = name;
    error.value = undefined;
    try {
      const address = await action();
      if (address !== null) leaveFor(address);
      else if (session.peek()?.phase === 'logged-out') step.value = 'elsewhere';
    } catch (thrown) {
      const refusal = asBridgeError(thrown);
      codeAsked.value = refusal.details?.['reason'] === setupCodeNeeded;
      error.value = errorText(refusal, name === 'first-user' ? 'this-computer' : name);
    }
    busy.value = undefined;
  };
  const start = (input: CallInput<'session.start'>) => attempt(input.place, () => logIn(input));
  const goTo = (next: Step) => {
    error.value = undefined;
    step.value = next;
  };

  return (
    <main class="gate">
      <div class="gate-card">
        <header class="gate-head">
          <Mark />
          <Select
            label={t('app.language')}
            labelHidden
            value={shownLanguage()}
            choices={languageChoices}
            onValue={chooseLanguage}
          />
        </header>
        {waitingSound.value.length > 0 && (
          <Banner tone="warn" icon="warn">
            {t('app.rest_of_others')}
          </Banner>
        )}
        {step.value === 'choose' && (
          <Choose
            busy={busy.value}
            error={error.value}
            onThisComputer={() =>
              session.value?.needs_first_user === true ? goTo('first-user') : void start({ place: 'this-computer' })
            }
            onService={() => goTo('service')}
            onTest={() => void start({ place: 'test' })}
          />
        )}
        {step.value === 'service' && (
          <ServiceForm
            busy={busy.value !== undefined}
            error={error.value}
            asksCode={codeAsked.value}
            onStart={start}
            onBack={() => goTo('choose')}
          />
        )}
        {step.value === 'first-user' && (
          <FirstUserForm
            busy={busy.value !== undefined}
            error={error.value}
            onBack={() => goTo('choose')}
            onCreate={(user) =>
              attempt('first-user', async () => {
                // Another person may have been faster, on another page.
                if (session.peek()?.needs_first_user !== true) return logIn({ place: 'this-computer' });
                await createFirstUser(user);
                return null;
              })
            }
          />
        )}
        {step.value === 'elsewhere' && (
          <div class="gate-step" role="status">
            <h1>{t('login.elsewhere')}</h1>
            <p class="gate-lead">{t('login.elsewhere_hint')}</p>
            <span class="spinner" aria-hidden="true" />
            <Button kind="bare" onClick={() => goTo('choose')}>
              {t('login.back')}
            </Button>
          </div>
        )}
      </div>
      <p class="gate-foot">{t('login.foot')}</p>
    </main>
  );
}

function Problem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Banner tone="warn" icon="warn" alert>
      {text}
    </Banner>
  );
}

function Choose(props: {
  busy: string | undefined;
  error: string | undefined;
  onThisComputer: () => void;
  onService: () => void;
  onTest: () => void;
}) {
  const place = (name: string, icon: IconName, title: string, text: string, onClick: () => void) => (
    <li>
      <button
        type="button"
        class="place"
        disabled={props.busy !== undefined}
        aria-busy={props.busy === name}
        onClick={onClick}
      >
        <span class="place-icon">
          {props.busy === name ? <span class="spinner" aria-hidden="true" /> : <Icon name={icon} size={22} />}
        </span>
        <span class="place-text">
          <strong>{title}</strong>
          <span>{text}</span>
        </span>
        <Icon name="right" />
      </button>
    </li>
  );
  return (
    <div class="gate-step">
      <h1>{t('login.welcome')}</h1>
      <p class="gate-lead">{t('login.welcome_hint')}</p>
      <Problem text={props.error} />
      <ul class="places">
        {place(
          'this-computer',
          'computer',
          homePlace(),
          t(isHere() ? 'login.this_computer_hint' : 'login.this_server_hint'),
          props.onThisComputer,
        )}
        {place(
          'service',
          'cloud',
          t(isHere() ? 'login.service' : 'login.other_service'),
          t('login.service_hint'),
          props.onService,
        )}
        {session.value?.places.includes('test') === true &&
          place('test', 'flask', t('login.test'), t('login.test_hint'), props.onTest)}
      </ul>
    </div>
  );
}

/** A form whose first field has the focus. */
function Form({
  title,
  lead,
  children,
  onSubmit,
}: {
  title: string;
  lead: string;
  children: ComponentChildren;
  onSubmit: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <form
      ref={form}
      class="gate-step"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h1>{title}</h1>
      <p class="gate-lead">{lead}</p>
      {children}
    </form>
  );
}

function Actions({ busy, go, onBack }: { busy: boolean; go: string; onBack: () => void }) {
  return (
    <div class="gate-actions">
      <Button kind="primary" type="submit" large wide busy={busy}>
        {go}
      </Button>
      <Button kind="bare" onClick={onBack}>
        {t('login.back')}
      </Button>
    </div>
  );
}

/** `laudio.example.org` becomes `https://laudio.example.org`; `undefined` if the text is no address. */
export function serviceAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === '' || !URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere) ? address : undefined;
}

function ServiceForm(props: {
  busy: boolean;
  error: string | undefined;
  asksCode: boolean;
  onStart: (input: CallInput<'session.start'>) => void;
  onBack: () => void;
}) {
  const server = useSignal(session.value?.place === 'service' ? (session.value.server ?? '') : '');
  const clientId = useSignal('');
  const clientSecret = useSignal('');
  const code = useSignal('');
  const tried = useSignal(false);
  const address = serviceAddress(server.value);
  const submit = (): void => {
    tried.value = true;
    if (address === undefined) return;
    props.onStart({
      place: 'service',
      server: address,
      ...(clientId.value.trim() !== '' && { client_id: clientId.value.trim() }),
      ...(clientSecret.value !== '' && { client_secret: clientSecret.value }),
      ...(code.value.trim() !== '' && { code: code.value.trim() }),
    });
  };
  return (
    <Form title={t('login.service')} lead={t('login.service_lead')} onSubmit={submit}>
      <Problem text={props.error} />
      <TextField
        label={t('login.address')}
        placeholder="https://laudio.example.org"
        kind="url"
        verbatim
        autocomplete="url"
        required
        value={server.value}
        error={tried.value && address === undefined ? t('login.address_invalid') : undefined}
        onValue={(value) => (server.value = value)}
      />
      {props.asksCode && <SetupCode code={code} />}
      <details class="more-fields" open={props.error !== undefined && !props.asksCode}>
        <summary>{t('login.client')}</summary>
        <p class="field-note">{t('login.client_hint')}</p>
        <TextField
          label={t('login.client_id')}
          verbatim
          autocomplete="off"
          value={clientId.value}
          onValue={(value) => (clientId.value = value)}
        />
        <TextField
          label={t('login.client_secret')}
          kind="password"
          autocomplete="off"
          value={clientSecret.value}
          onValue={(value) => (clientSecret.value = value)}
        />
      </details>
      <Actions busy={props.busy} go={t('login.go')} onBack={props.onBack} />
    </Form>
  );
}

/** The setup code, which only the operator of the server can see. */
function SetupCode({ code, isMissing = false }: { code: Signal<string>; isMissing?: boolean }) {
  return (
    <TextField
      label={t('login.setup_code')}
      hint={t('login.setup_code_hint')}
      placeholder="XXXXX-XXXXX"
      verbatim
      autocomplete="off"
      required
      value={code.value}
      error={isMissing ? t('login.setup_code_hint') : undefined}
      onValue={(value) => (code.value = value)}
    />
  );
}

const shortestPassword = 8;

function FirstUserForm(props: {
  busy: boolean;
  error: string | undefined;
  onCreate: (user: CallInput<'session.first_user'>) => void;
  onBack: () => void;
}) {
  const name = useSignal('');
  /** A user name other than the one derived from the person’s name. */
  const ownUsername = useSignal<string | undefined>(undefined);
  const username = ownUsername.value ?? deriveLoginName(name.value);
  const tried = useSignal(false);
  /** No user name can be derived from a name without letters (“Dr.”). */
  const asksUsername = ownUsername.value !== undefined || (tried.value && name.value.trim() !== '' && username === '');
  const password = useSignal('');
  const code = useSignal('');
  const asksCode = session.value?.asks_code === true;
  const missing = (value: string) => (tried.value && value.trim() === '' ? t('login.needed') : undefined);
  const submit = (): void => {
    tried.value = true;
    const user = { username: username.trim(), display_name: name.value.trim(), password: password.value };
    const isComplete = user.username !== '' && user.display_name !== '' && user.password.length >= shortestPassword;
    if (!isComplete || (asksCode && code.value.trim() === '')) return;
    props.onCreate({ ...user, ...(asksCode && { code: code.value.trim() }) });
  };
  return (
    <Form
      title={t(isHere() ? 'login.first_user' : 'login.first_user_there')}
      lead={t('login.first_user_lead')}
      onSubmit={submit}
    >
      <Problem text={props.error} />
      <TextField
        label={t('login.display_name')}
        hint={t('login.display_name_hint')}
        autocomplete="name"
        required
        value={name.value}
        error={missing(name.value)}
        onValue={(value) => (name.value = value)}
      />
      {!asksUsername ? (
        username !== '' && (
          <div class="login-name">
            <p>{t('login.username_made', { name: username })}</p>
            <Button kind="bare" onClick={() => (ownUsername.value = username)}>
              {t('login.username_change')}
            </Button>
          </div>
        )
      ) : (
        <TextField
          label={t('login.username')}
          autocomplete="username"
          verbatim
          required
          maxLength={100}
          value={username}
          error={missing(username)}
          onValue={(value) => (ownUsername.value = value)}
        />
      )}
      <TextField
        label={t('login.password')}
        hint={t('login.password_hint', { n: shortestPassword })}
        kind="password"
        autocomplete="new-password"
        required
        value={password.value}
        error={
          tried.value && password.value.length < shortestPassword
            ? t('login.password_short', { n: shortestPassword })
            : undefined
        }
        onValue={(value) => (password.value = value)}
      />
      {asksCode && <SetupCode code={code} isMissing={missing(code.value) !== undefined} />}
      <Actions busy={props.busy} go={t('login.create')} onBack={props.onBack} />
    </Form>
  );
}
