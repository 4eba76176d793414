/** Asks a person at a terminal. Without a terminal, a missing value is an error that names the flag. */
import type inquirerModule from 'inquirer';
import { AppError } from '../src/contract/errors.ts';
import type { Io } from './io.ts';

type Inquirer = typeof inquirerModule;

export interface Questions {
  /** `instead` names the flag that replaces the question: `--username NAME`. */
  text(message: string, instead: string): Promise<string>;
  secret(message: string, instead: string): Promise<string>;
  confirm(message: string, instead: string): Promise<boolean>;
}

export function createQuestions(io: Io): Questions {
  const ask = async <T>(instead: string, question: (inquirer: Inquirer) => Promise<{ answer: T }>) => {
    if (!io.interactive)
      throw new AppError('USAGE', { message: `${instead} is needed.`, hint: 'There is no terminal to ask at.' });
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
  };
}
