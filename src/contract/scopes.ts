/** The permissions of tokens (specification, section 5, item 8), with the words that the consent page shows. */
export const scopes = {
  'medical_records:read': { en: 'Read medical records', pt: 'Ler laudos', es: 'Leer informes' },
  'medical_records:write': {
    en: 'Create and update medical records',
    pt: 'Criar e alterar laudos',
    es: 'Crear y modificar informes',
  },
  'medical_records:delete': { en: 'Delete medical records', pt: 'Excluir laudos', es: 'Eliminar informes' },
  'jobs:read': {
    en: 'Read job status and results',
    pt: 'Ver o andamento e o resultado dos processamentos',
    es: 'Ver el estado y el resultado de los procesos',
  },
  'jobs:write': {
    en: 'Create, cancel and manage jobs',
    pt: 'Criar, cancelar e gerenciar processamentos',
    es: 'Crear, cancelar y gestionar procesos',
  },
  'worklists:write': {
    en: 'Send worklist items from RIS/PACS systems',
    pt: 'Enviar exames do RIS/PACS para a lista de trabalho',
    es: 'Enviar estudios del RIS/PACS a la lista de trabajo',
  },
  'worklists:manage': {
    en: 'Update worklist item status',
    pt: 'Alterar a situação dos exames da lista',
    es: 'Cambiar el estado de los estudios de la lista',
  },
  'worklists:read': {
    en: 'Read worklist items',
    pt: 'Ler os exames da lista de trabalho',
    es: 'Leer los estudios de la lista de trabajo',
  },
  'priors:write': {
    en: 'Import and delete reports of former exams',
    pt: 'Importar e excluir laudos de exames anteriores',
    es: 'Importar y eliminar informes de estudios anteriores',
  },
  'macros:write': {
    en: 'Create, change and delete macros and words of the vocabulary',
    pt: 'Criar, alterar e excluir autotextos e palavras do vocabulário',
    es: 'Crear, modificar y eliminar autotextos y palabras del vocabulario',
  },
  'templates:write': {
    en: 'Add, change and delete templates of documents',
    pt: 'Criar, alterar e excluir modelos de laudo',
    es: 'Crear, modificar y eliminar plantillas de informes',
  },
  'transcriptions:write': {
    en: 'Transcribe speech while it is spoken',
    pt: 'Transcrever a fala durante o ditado',
    es: 'Transcribir la voz durante el dictado',
  },
  'fhircast/*.read': {
    en: 'Follow the exam that is open at the workplace',
    pt: 'Acompanhar o exame aberto na estação de trabalho',
    es: 'Seguir el estudio abierto en el puesto de trabajo',
  },
  'fhircast/*.write': {
    en: 'Open and close exams at the workplace',
    pt: 'Abrir e fechar exames na estação de trabalho',
    es: 'Abrir y cerrar estudios en el puesto de trabajo',
  },
} as const;

/** The scopes that an application registers. */
export type RegisteredScope = keyof typeof scopes;
/**
 * The scopes of FHIRcast 3.0.0 (2.2), of which an application may ask for any that its registered ones allow:
 * `fhircast/Patient-open.read`, `fhircast/*.*`.
 */
export type CastScope = `fhircast/${string}.${'read' | 'write' | '*'}`;
/** The scopes that an application asks for and is granted. */
export type Scope = RegisteredScope | CastScope;
/**
 * The scopes of a RIS or a PACS: it sends exams and priors, cancels exams, and reads their status and their records.
 */
export const serverScopes: readonly RegisteredScope[] = [
  'worklists:write',
  'worklists:manage',
  'worklists:read',
  'medical_records:read',
  'jobs:read',
  'priors:write',
];
export const allScopes = Object.keys(scopes) as RegisteredScope[];
export const isRegisteredScope = (word: string): word is RegisteredScope => Object.hasOwn(scopes, word);
export const isScope = (word: string): word is Scope => isRegisteredScope(word) || parseCastScope(word) !== undefined;

export interface CastPermission {
  /** A name in any case, or `*`. */
  readonly event: string;
  readonly actions: readonly ('read' | 'write')[];
}

/** `undefined`: not a scope of FHIRcast. */
export function parseCastScope(word: string): CastPermission | undefined {
  const [, event, action] = /^fhircast\/([a-z]{1,20}(?:-[a-z]{1,20})?|\*)\.(read|write|\*)$/i.exec(word) ?? [];
  if (event === undefined || action === undefined) return undefined;
  return { event, actions: action === '*' ? ['read', 'write'] : [action as 'read' | 'write'] };
}

/** Whether one of the scopes is of FHIRcast, so that its token has a hub and a topic. */
export const isForHub = (granted: readonly Scope[]): boolean =>
  granted.some((scope) => parseCastScope(scope) !== undefined);

/** Whether the granted scopes include the wanted one. */
export function allowsScope(granted: readonly Scope[], wanted: Scope): boolean {
  if (granted.includes(wanted)) return true;
  const asked = parseCastScope(wanted);
  return asked !== undefined && asked.actions.every((action) => allowsCast(granted, asked.event, action));
}

/** Whether scopes allow to read or send this event of FHIRcast; `event` in any case, `*` for every one. */
export const allowsCast = (granted: readonly Scope[], event: string, action: 'read' | 'write'): boolean =>
  granted.some((scope) => {
    const given = parseCastScope(scope);
    if (!given?.actions.includes(action)) return false;
    return given.event === '*' || given.event.toLowerCase() === event.toLowerCase();
  });

/** The words of the consent page for a scope. */
export function describeScope(scope: Scope, language: 'en' | 'pt' | 'es'): string {
  if (isRegisteredScope(scope)) return scopes[scope][language];
  const { event = '', actions = [] } = parseCastScope(scope) ?? {};
  const allowed = actions.map((action) => scopes[`fhircast/*.${action}`][language]).join('; ');
  return event === '*' ? allowed : `${allowed} (${event})`;
}
