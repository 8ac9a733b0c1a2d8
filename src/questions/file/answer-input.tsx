import { answerFiles } from '#domain/answer-files.ts';
import { formatSize } from '#domain/format.ts';
import { preloadHashes } from '#app/outbox/files.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';
import { OPENING } from '#app/questions/waiting.tsx';

const FileAnswer = lazyPart(
  () => import('./FileAnswer.tsx'),
  (module) => module.FileAnswer,
);

const AnswerField = (props: AnswerFieldProps<'file'>) => (
  <FileAnswer waiting={OPENING} {...props} />
);

export const fileInput: AnswerInput<'file'> = {
  Field: AnswerField,
  preload() {
    FileAnswer.preload();
    preloadHashes();
  },
  holdsState: true,
  spoken: ({ fileId, name }) => (fileId === null ? 'Файл убран' : `Файл выбран: ${name}`),
  summary: (answer) =>
    answerFiles(answer)
      .map(({ name, size }) => `Файл «${name}», ${formatSize(size)}`)
      .join('; '),
};
