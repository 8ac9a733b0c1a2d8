import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import {
  AREAS_WIRE_VERSION,
  GAPS_WIRE_VERSION,
  OLDEST_WIRE_VERSION,
  ORDERING_WIRE_VERSION,
  PASSAGE_WIRE_VERSION,
  RECORDING_WIRE_VERSION,
  SEVERAL_FILES_WIRE_VERSION,
  TEMPLATE_KINDS_WIRE_VERSION,
} from '#contract/version.ts';
import { needNewerApp, templateNeedsNewerApp } from './needed-version.ts';

const base = { questionId: 'q', text: 'Вопрос', points: 1 };
const file: Question = { ...base, kind: 'file', maxBytes: 5, accept: [] };
const areas: Question = {
  ...base,
  kind: 'variant',
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  options: [
    {
      optionId: 'a',
      text: 'Сердце',
      isRight: true,
      area: { shape: 'rectangle', left: 0, top: 0, width: 0.5, height: 0.5 },
    },
  ],
};
const ordering: Question = { ...base, kind: 'ordering', items: [] };
const gaps: Question = { ...base, kind: 'gaps', gaps: [] };

test.each<[string, number, Question]>([
  ['a plain question', OLDEST_WIRE_VERSION, file],
  ['an order', ORDERING_WIRE_VERSION, ordering],
  ['a shared text', PASSAGE_WIRE_VERSION, { ...file, passage: { passageId: 'p', text: 'Лес' } }],
  [
    'a recording in a shared text',
    RECORDING_WIRE_VERSION,
    {
      ...file,
      passage: {
        passageId: 'p',
        text: '![Диалог](audio-file:10000000-0000-4000-8000-000000000001)',
      },
    },
  ],
  ['one file alone', OLDEST_WIRE_VERSION, { ...file, maxFiles: 1 }],
  ['several files', SEVERAL_FILES_WIRE_VERSION, { ...file, maxFiles: 2 }],
  ['gaps', GAPS_WIRE_VERSION, gaps],
  ['areas of a picture', AREAS_WIRE_VERSION, areas],
])('%s needs an app of version %i, alone and among others', (_, version, question) => {
  for (const questions of [[question], [file, question], [question, file]]) {
    expect(needNewerApp(questions, version)).toBe(false);
    expect(needNewerApp(questions, version - 1)).toBe(true);
  }
});

test('a test without questions needs no newer app', () => {
  expect(needNewerApp([], 0)).toBe(false);
});

test.each<[number, TemplateBody['key']]>([
  [OLDEST_WIRE_VERSION, { kind: 'open', answer: 'a', tolerance: 0 }],
  [OLDEST_WIRE_VERSION, { kind: 'variant', answer: 'a', unit: '', distractors: [] }],
  [TEMPLATE_KINDS_WIRE_VERSION, { kind: 'gaps', gaps: [] }],
  [TEMPLATE_KINDS_WIRE_VERSION, { kind: 'ordering', order: 'given', items: [] }],
])(
  'an app of version %i knows a template with the key %j, and no older one has to',
  (version, key) => {
    const body = { key } as TemplateBody;
    expect(templateNeedsNewerApp(body, version)).toBe(false);
    expect(templateNeedsNewerApp(body, version - 1)).toBe(version > OLDEST_WIRE_VERSION);
  },
);
