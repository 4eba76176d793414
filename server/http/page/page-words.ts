/** The texts of the pages, in the three languages of the product. */
import { textBefore } from '../../../src/domain/text-before.ts';

const en = {
  tag: 'en',
  testMode: 'Test mode',
  login: {
    title: 'Log in',
    lead: (client: string) => `to continue to ${client}`,
    username: 'Username',
    password: 'Password',
    submit: 'Log in',
    cancel: 'Cancel',
    wrong: 'Username or password is wrong. Check both and try again.',
    wait: (seconds: number) => `Too many attempts. Wait ${seconds} s, then try again.`,
    busy: (seconds: number) => `Many people are logging in at this moment. Try again in ${seconds} s.`,
    testAccount: 'Test account',
    error: 'Error',
    provider: (name: string) => `Log in with ${name}`,
    providerProblems: {
      cancelled: (name: string) => `The login with ${name} was canceled. You can try again.`,
      expired: (name: string) => `The login with ${name} took too long, or was used before. Try again.`,
      unreachable: (name: string) =>
        `${name} is not responding as it should. Try again in a moment. If it goes on, tell the administrator of ${name}.`,
      clock: (name: string) => `The clocks of ${name} and of this server differ. Tell the operator of this server.`,
      invalid: (name: string) =>
        `The answer of ${name} did not pass a check, so there is no login. Try again; if it happens again, tell the operator of this server.`,
      no_role: (name: string) =>
        `Your account at ${name} has no role for this. Ask the administrator of ${name} for one.`,
    },
  },
  consent: {
    title: (client: string) => `Allow ${client}?`,
    lead: 'It asks to do this in your name:',
    signedIn: 'Logged in as',
    other: 'Use another account',
    approve: 'Allow',
    deny: 'Don’t allow',
    destination: (host: string) => `Afterwards you return to ${host}.`,
    thisComputer: 'an application on this computer',
  },
  device: {
    title: 'Log a device in',
    lead: 'Type the code that the device or the terminal shows.',
    code: 'Code',
    next: 'Continue',
    unknown: 'No device is waiting with this code. Check it on the device; after 10 minutes it shows a new one.',
    shows: 'Does the device show this code?',
    from: (address: string, minutes: number) =>
      `Asked for ${minutes < 1 ? 'just now' : minutes < 2 ? 'a minute ago' : `${minutes} minutes ago`}, from ${address}.`,
    caution:
      'Continue only if you began this login. If somebody else sent you the code, they want to get into your account.',
    afterwards: 'Afterwards go back to the device.',
    approved: { title: 'The device is logged in', text: 'You can close this page, and go back to the device.' },
    denied: { title: 'The device is not logged in', text: 'Nothing was shared with it. You can close this page.' },
  },
  error: {
    title: 'This login cannot go on',
    request:
      'The application that sent you here asked for something that is not valid. Nothing was shared with it. Go ' +
      'back to the application; if it happens again, tell its administrator.',
    expired:
      'This login has expired, was already finished, or was begun in another browser. Go back to the ' +
      'application and start again. The browser must accept cookies.',
    forged: 'The form did not come from this page, so it was not accepted. Go back to the application and start again.',
    failed: 'Something failed on our side. Nothing was shared with the application. Try again in a moment.',
    forDeveloper: 'For the developer',
  },
  unknown: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or the page has moved.',
    back: 'Back to the start',
  },
};

export type Words = typeof en;

const pt: Words = {
  tag: 'pt-BR',
  testMode: 'Modo de teste',
  login: {
    title: 'Entrar',
    lead: (client) => `para continuar em ${client}`,
    username: 'Usuário',
    password: 'Senha',
    submit: 'Entrar',
    cancel: 'Cancelar',
    wrong: 'Usuário ou senha incorretos. Confira os dois e tente de novo.',
    wait: (seconds) => `Muitas tentativas. Espere ${seconds} s e tente de novo.`,
    busy: (seconds) => `Muita gente está entrando neste momento. Tente de novo em ${seconds} s.`,
    testAccount: 'Conta de teste',
    error: 'Erro',
    provider: (name) => `Entrar com ${name}`,
    providerProblems: {
      cancelled: (name) => `O login com ${name} foi cancelado. Você pode tentar de novo.`,
      expired: (name) => `O login com ${name} demorou demais ou já foi usado. Tente de novo.`,
      unreachable: (name) =>
        `${name} não responde como deveria. Tente de novo daqui a pouco. Se continuar, avise o administrador de ${name}.`,
      clock: (name) => `Os relógios de ${name} e deste servidor diferem. Avise o operador deste servidor.`,
      invalid: (name) =>
        `A resposta de ${name} não passou em uma verificação, e o login não foi feito. Tente de novo; se acontecer outra vez, avise o operador deste servidor.`,
      no_role: (name) => `Sua conta em ${name} não tem um papel para isto. Peça um papel ao administrador de ${name}.`,
    },
  },
  consent: {
    title: (client) => `Permitir ${client}?`,
    lead: 'O aplicativo pede para fazer isto em seu nome:',
    signedIn: 'Sessão de',
    other: 'Usar outra conta',
    approve: 'Permitir',
    deny: 'Não permitir',
    destination: (host) => `Depois você volta para ${host}.`,
    thisComputer: 'um aplicativo neste computador',
  },
  device: {
    title: 'Conectar um dispositivo',
    lead: 'Digite o código que o dispositivo ou o terminal mostra.',
    code: 'Código',
    next: 'Continuar',
    unknown:
      'Nenhum dispositivo espera com este código. Confira no dispositivo; depois de 10 minutos ele mostra outro.',
    shows: 'O dispositivo mostra este código?',
    from: (address, minutes) =>
      `Pedido ${minutes < 1 ? 'agora mesmo' : minutes < 2 ? 'há um minuto' : `há ${minutes} minutos`}, de ${address}.`,
    caution:
      'Continue apenas se você começou este acesso. Se outra pessoa mandou o código, ela quer entrar na sua conta.',
    afterwards: 'Depois volte ao dispositivo.',
    approved: { title: 'O dispositivo está conectado', text: 'Você pode fechar esta página e voltar ao dispositivo.' },
    denied: {
      title: 'O dispositivo não foi conectado',
      text: 'Nada foi compartilhado com ele. Você pode fechar esta página.',
    },
  },
  error: {
    title: 'Não é possível continuar',
    request:
      'O aplicativo que trouxe você até aqui fez um pedido inválido. Nada foi compartilhado com ele. Volte ao ' +
      'aplicativo; se acontecer de novo, avise o administrador dele.',
    expired:
      'Este login expirou, já foi concluído ou começou em outro navegador. Volte ao aplicativo e comece de ' +
      'novo. O navegador precisa aceitar cookies.',
    forged: 'O formulário não veio desta página e por isso não foi aceito. Volte ao aplicativo e comece de novo.',
    failed: 'Algo falhou do nosso lado. Nada foi compartilhado com o aplicativo. Tente de novo daqui a pouco.',
    forDeveloper: 'Para quem desenvolve',
  },
  unknown: {
    title: 'Esta página não existe',
    text: 'O endereço pode ter um erro, ou a página mudou de lugar.',
    back: 'Voltar ao início',
  },
};

const es: Words = {
  tag: 'es',
  testMode: 'Modo de prueba',
  login: {
    title: 'Iniciar sesión',
    lead: (client) => `para continuar en ${client}`,
    username: 'Usuario',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    cancel: 'Cancelar',
    wrong: 'El usuario o la contraseña no son correctos. Revíselos e inténtelo de nuevo.',
    wait: (seconds) => `Demasiados intentos. Espere ${seconds} s e inténtelo de nuevo.`,
    busy: (seconds) => `Hay mucha gente iniciando sesión en este momento. Inténtelo de nuevo en ${seconds} s.`,
    testAccount: 'Cuenta de prueba',
    error: 'Error',
    provider: (name) => `Iniciar sesión con ${name}`,
    providerProblems: {
      cancelled: (name) => `El inicio de sesión con ${name} se canceló. Puede intentarlo de nuevo.`,
      expired: (name) => `El inicio de sesión con ${name} tardó demasiado o ya se usó. Inténtelo de nuevo.`,
      unreachable: (name) =>
        `${name} no responde como debería. Inténtelo de nuevo en un momento. Si continúa, avise al administrador de ${name}.`,
      clock: (name) => `Los relojes de ${name} y de este servidor difieren. Avise al operador de este servidor.`,
      invalid: (name) =>
        `La respuesta de ${name} no pasó una comprobación y la sesión no se inició. Inténtelo de nuevo; si ocurre otra vez, avise al operador de este servidor.`,
      no_role: (name) => `Su cuenta en ${name} no tiene un rol para esto. Pida un rol al administrador de ${name}.`,
    },
  },
  consent: {
    title: (client) => `¿Permitir ${client}?`,
    lead: 'La aplicación pide hacer esto en su nombre:',
    signedIn: 'Sesión iniciada como',
    other: 'Usar otra cuenta',
    approve: 'Permitir',
    deny: 'No permitir',
    destination: (host) => `Después volverá a ${host}.`,
    thisComputer: 'una aplicación en este equipo',
  },
  device: {
    title: 'Conectar un dispositivo',
    lead: 'Escriba el código que muestra el dispositivo o el terminal.',
    code: 'Código',
    next: 'Continuar',
    unknown:
      'Ningún dispositivo espera con este código. Compruébelo en el dispositivo; después de 10 minutos muestra otro.',
    shows: '¿El dispositivo muestra este código?',
    from: (address, minutes) =>
      `Solicitado ${minutes < 1 ? 'ahora mismo' : minutes < 2 ? 'hace un minuto' : `hace ${minutes} minutos`}, desde ${address}.`,
    caution:
      'Continúe solo si usted empezó este acceso. Si otra persona le envió el código, quiere entrar en su cuenta.',
    afterwards: 'Después vuelva al dispositivo.',
    approved: { title: 'El dispositivo está conectado', text: 'Puede cerrar esta página y volver al dispositivo.' },
    denied: { title: 'El dispositivo no se conectó', text: 'No se compartió nada con él. Puede cerrar esta página.' },
  },
  error: {
    title: 'No se puede continuar',
    request:
      'La aplicación que le trajo aquí hizo una solicitud no válida. No se compartió nada con ella. Vuelva a la ' +
      'aplicación; si ocurre de nuevo, avise a su administrador.',
    expired:
      'Este inicio de sesión caducó, ya se completó o empezó en otro navegador. Vuelva a la aplicación y empiece de ' +
      'nuevo. El navegador debe aceptar cookies.',
    forged: 'El formulario no vino de esta página y por eso no se aceptó. Vuelva a la aplicación y empiece de nuevo.',
    failed: 'Algo falló por nuestra parte. No se compartió nada con la aplicación. Inténtelo de nuevo en un momento.',
    forDeveloper: 'Para quien desarrolla',
  },
  unknown: {
    title: 'Esta página no existe',
    text: 'Puede que la dirección tenga un error, o que la página haya cambiado de lugar.',
    back: 'Volver al inicio',
  },
};

export const words = { en, pt, es } as const;
export type PageLanguage = keyof typeof words;

const isPageLanguage = (tag: string): tag is PageLanguage => Object.hasOwn(words, tag);
const primary = (tag: string): string => textBefore(tag.trim(), '-').toLowerCase();

/** The language of the browser that asks. */
export const languageFor = ({
  headers,
}: {
  readonly headers: { readonly 'accept-language'?: string | undefined };
}): PageLanguage => chooseLanguage(undefined, headers['accept-language']);

/**
 * The first requested language that the pages have: `ui_locales` of the request (space-separated), then
 * `Accept-Language`.
 */
export function chooseLanguage(uiLocales: string | undefined, acceptLanguage: string | undefined): PageLanguage {
  const accepted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';');
      const quality = parameters
        .map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1])
        .find((q) => q !== undefined);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
  return [...(uiLocales ?? '').split(' '), ...accepted].map(primary).find(isPageLanguage) ?? 'en';
}
