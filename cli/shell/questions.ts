/** Asks a person at a terminal. Without a terminal, a missing value is an error that names the flag. */
import type inquirerModule from 'inquirer';
import { AppError } from '../../src/contract/errors.ts';
import type { Io } from './io.ts';

type Inquirer = typeof inquirerModule;

export interface Questions {
  /** `instead` names the flag that replaces the question: `--username NAME`. */
  text(message: string, instead: string): Promise<string>;
  secret(message: string, instead: string): Promise<string>;
  confirm(message: string, instead: string): Promise<boolean>;
  /** Opens the text in the person's editor; resolves to the saved text. */
  edit(message: string, text: string, instead: string): Promise<string>;
  /** USAGE if there is no terminal: call it before fetching data only needed for a question. */
  requireTerminal(instead: string): void;
}

export function createQuestions(io: Io): Questions {
  const requireTerminal = (instead: string): void => {
    if (!io.interactive)
      throw new AppError('USAGE', { message: `${instead} is needed.`, hint: 'Questions need a terminal.' });
  };
  const ask = async <T>(instead: string, question: (inquirer: Inquirer) => Promise<{ answer: T }>) => {
    requireTerminal(instead);
    const { default: inquirer } = await import('inquirer');
    try {
      return (await question(inquirer)).answer;
    } catch (error) {
      // Ctrl-C at a question.
      if ((error as Error).name === 'ExitPromptError') throw new AppError('INTERRUPTED', { cause: error });
      throw error;
    }
  };
  return {
    text: (message, instead) =>
      ask(instead, (inquirer) => inquirer.prompt([{ type: 'input', name: 'answer', message, required: true }])),
    secret: (message, instead) =>
      ask(instead, (inquirer) => inquirer.prompt([{ type: 'password', name: 'answer', message, mask: '*' }])),
    confirm: (message, instead) =>
      ask(instead, (inquirer) => inquirer.prompt([{ type: 'confirm', name: 'answer', message, default: false }])),
    edit: (message, text, instead) =>
      ask(instead, (inquirer) =>
        inquirer.prompt([{ type: 'editor', name: 'answer', message, default: text, waitForUserInput: false }]),
      ),
    requireTerminal,
  };
}
