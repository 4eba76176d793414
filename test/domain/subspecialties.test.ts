import { expect, test } from 'vitest';
import { findSubspecialty } from '../../src/domain/subspecialties.ts';

const exam = (exam_description: string, modality = 'CT', metadata: Record<string, unknown> | null = null) =>
  findSubspecialty({ exam_description, modality, metadata });

test.each([
  ['TC de crânio sem contraste', 'neuro'],
  ['CT head without contrast', 'neuro'],
  ['RM de columna lumbar', 'neuro'],
  ['Ecografía de tiroides con Doppler', 'head_neck'],
  ['Radiografia de tórax PA e perfil', 'chest'],
  ['Angiotomografia de tórax', 'cardiovascular'],
  ['US Doppler de carótidas e vertebrais', 'cardiovascular'],
  ['US obstétrico do segundo trimestre', 'obstetrics_gynecology'],
  ['RM multiparamétrica da próstata', 'abdomen'],
  ['Radiografia de quadril, cabeça do fêmur', 'musculoskeletal'],
  ['MRI right knee without contrast', 'musculoskeletal'],
  ['Laudo de outro serviço', 'general'],
])('%s: %s', (description, expected) => expect(exam(description)).toBe(expected));

test('the modality decides before the description, and the RIS before both', () => {
  expect(exam('Tórax', 'MG')).toBe('breast');
  expect(exam('Tórax', 'MG', { subspecialty: ' Neuro ' })).toBe('neuro');
  expect(exam('Tórax', 'CT', { subspecialty: 'feet' })).toBe('chest');
});
