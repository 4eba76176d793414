/** The error for a file that holds no template. */
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';

export const noTemplate = (message: Message, hint = fileMessage('template_kinds')): AppError =>
  new AppError('VALIDATION_FAILED', { message, hint });
