import { expect, test } from 'vitest';
import { editorFiles } from './editor-chunks.mjs';

const chunk = (
  fileName: string,
  module: string,
  more: Partial<Parameters<typeof editorFiles>[0][number]> = {},
) => ({
  fileName,
  isEntry: false,
  facadeModuleId: module,
  moduleIds: [module],
  imports: [],
  dynamicImports: [],
  css: [],
  ...more,
});

test('distinguishes editor-only files from those of any screen', () => {
  const files = editorFiles([
    chunk('app.js', '/p/src/main.tsx', {
      isEntry: true,
      dynamicImports: ['edit.js', 'lists.js'],
      css: ['app.css'],
    }),
    chunk('lists.js', '/p/src/routes/_signed.tests.index.tsx', { imports: ['shared.js'] }),
    chunk(
      'edit.js',
      '/p/src/routes/_signed.tests.manage.$testId.edit.custom.tsx?tsr-split=component',
      {
        imports: ['shared.js', 'form.js'],
        css: ['form.css'],
      },
    ),
    chunk('form.js', '/p/src/questions/form/QuestionForm.tsx', { dynamicImports: ['word.js'] }),
    chunk('word.js', '/p/node_modules/mammoth/lib/index.js'),
    chunk('shared.js', '/p/src/ui/overlays/Modal.tsx'),
  ]);
  expect(files).toEqual(new Set(['edit.js', 'form.css', 'form.js', 'word.js']));
});

test('an editor that the first screen itself imports is no editor’s file any more', () => {
  const files = editorFiles([
    chunk('app.js', '/p/src/main.tsx', { isEntry: true, imports: ['form.js'] }),
    chunk('form.js', '/p/src/questions/form/QuestionForm.tsx'),
  ]);
  expect(files.size).toBe(0);
});
