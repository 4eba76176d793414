/** Files of macros: CSV or JSON. */
import { fileMessage } from '../../contract/messages/files.ts';
import { readOwnedFile } from './owned-file.ts';
import type { OwnedFile } from './owned-file.ts';

export const readMacros = (file: AsyncIterable<Uint8Array>): Promise<OwnedFile> =>
  readOwnedFile(file, {
    listNeeded: fileMessage('owned_list_macros'),
    fields: {
      name: 'nome, nombre, macro, autotext, autotexto',
      text: 'texto, content, conteudo, contenido',
      section: 'secao, seccion',
    },
    required: ['name', 'text'],
    json: '[{"name": …, "text": …}]',
  });
