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
} as const;

export type Scope = keyof typeof scopes;
/**
 * The scopes of a RIS or a PACS: it sends exams and priors, cancels exams, and reads their status and their records.
 */
export const serverScopes: readonly Scope[] = [
  'worklists:write',
  'worklists:manage',
  'worklists:read',
  'medical_records:read',
  'jobs:read',
  'priors:write',
];
export const allScopes = Object.keys(scopes) as Scope[];
export const isScope = (word: string): word is Scope => Object.hasOwn(scopes, word);
