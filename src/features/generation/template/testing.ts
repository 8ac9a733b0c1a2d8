import type { TemplateBody } from '#contract/templates.ts';
import type { Drawn } from './drawn-question.ts';
import type { Walk } from './draws.ts';

export const templateId = '01990000-0000-7000-8000-000000000001';
let ids = 0;
export const newId = () => `01990000-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;

/** A template of a product, with some parts replaced. */
export const templateBody = (parts: Partial<TemplateBody> = {}): TemplateBody => ({
  title: 'Сила',
  theme: 'physics',
  topic: '',
  difficulty: '',
  tags: [],
  points: 1,
  text: 'Масса {{m}} кг, ускорение {{a}} м/с². Какова сила?',
  explanation: '',
  variables: [
    { kind: 'range', name: 'm', from: 1, to: 9, step: 1 },
    { kind: 'list', name: 'a', values: [2, 4, 5] },
  ],
  condition: '',
  decimals: 2,
  key: { kind: 'open', answer: 'm * a', tolerance: 0 },
  ...parts,
});
/** The first draws. */
export const walked = (walk: Walk, most: number) => {
  const all: Drawn[] = [];
  for (let at = 0; at < most; at += 1) {
    const drawn = walk.next();
    if (!drawn) break;
    all.push(drawn);
  }
  return all;
};
