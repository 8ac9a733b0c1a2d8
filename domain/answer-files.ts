import type { Answer, FileAnswer, AnswerFile } from '#contract/answers.ts';

/** The files of an answer in the student's order; empty: none, or an answer of another kind. */
export function answerFiles(answer: Answer | null | undefined): AnswerFile[] {
  if (answer?.kind !== 'file' || answer.fileId === null) return [];
  const { fileId, name, size, mimeType, sha256, more = [] } = answer;
  return [{ fileId, name, size, mimeType, sha256 }, ...more];
}

/** The answer that consists of these files; none: the answer is cleared. */
export function fileAnswer(questionId: string, files: readonly AnswerFile[]): FileAnswer {
  const [first, ...more] = files;
  const none = { fileId: null, name: '', size: 0, mimeType: '', sha256: '' };
  return { questionId, kind: 'file', ...(first ?? none), ...(more.length > 0 && { more }) };
}

/** The list with one of its files moved to another position. */
export function moveFile<F>(
  files: readonly F[],
  isMoved: (file: F) => boolean,
  to: number,
): readonly F[] {
  const moved = files.filter(isMoved);
  const rest = files.filter((file) => !isMoved(file));
  return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
}

/** How many files a question accepts. */
export const maxFilesOf = ({ maxFiles = 1 }: { readonly maxFiles?: number | undefined }): number =>
  maxFiles;
