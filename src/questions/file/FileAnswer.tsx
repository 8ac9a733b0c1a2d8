import { useEffect, useState } from 'react';
import type { AnswerFile } from '#contract/answers.ts';
import { answerFiles, maxFilesOf, moveFile } from '#domain/answer-files.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { AnswerFiles } from '#app/ui/taking/AnswerFiles.tsx';
import type { AnswerFieldProps, FileStore } from '#app/questions/answer-field.ts';
import { readPickedFile } from './read-picked-file.ts';

const FILE_IS_SAFE = 'Файл целиком на устройстве и уйдёт сам, когда появится сеть.';
const FILES_ARE_SAFE = 'Файлы целиком на устройстве и уйдут сами, когда появится сеть.';

/** The answer field of a file question. */
export function FileAnswer({
  question,
  answer,
  shown,
  store,
  locked,
  at,
  labelledBy,
}: AnswerFieldProps<'file'>) {
  const { questionId, accept, maxBytes } = question;
  const maxFiles = maxFilesOf(question);
  const files = answerFiles(answer);
  const previews = useOwnPreviews(files, store.files);
  const picks = store.picks.filter((pick) => pick.questionId === questionId);
  const { upload, stage } = shown;
  const isCut = stage === 'device' && upload !== null && upload.received > 0;
  const pickAll = (accepted: readonly File[]) => {
    for (const file of accepted) {
      store.files.pick({
        questionId,
        name: file.name,
        size: file.size,
        mimeType: file.type,
        replaces: maxFiles === 1,
        read: () => readPickedFile(file, question),
      });
    }
  };
  return (
    <AnswerFiles
      files={files.map(({ fileId, name, size, mimeType }) => ({
        id: fileId,
        name,
        size,
        mimeType,
        previewUrl: previews.get(fileId),
        remark: store.files.noteOf(fileId) ?? undefined,
      }))}
      limits={{ accept, maxBytes, maxFiles, shrinksPhotos: true }}
      state={stage}
      at={at}
      progress={upload ? { sentBytes: upload.received, totalBytes: upload.size } : undefined}
      labelledBy={labelledBy}
      locked={locked}
      note={
        isCut
          ? `Отправка прервалась на ${formatSize(upload.received)}. ${files.length > 1 ? FILES_ARE_SAFE : FILE_IS_SAFE}`
          : stage === 'sending'
            ? 'Можно перейти к другим вопросам: отправка продолжится.'
            : undefined
      }
      picks={picks.map(({ step, ...pick }) => ({ ...pick, isStoring: step === 'storing' }))}
      onCancelPick={(pickId) => store.files.cancel(pickId)}
      onPick={pickAll}
      onRemove={(id) =>
        store.changeFiles(questionId, (now) => now.filter(({ fileId }) => fileId !== id))
      }
      onMove={(id, to) =>
        store.changeFiles(questionId, (now) => moveFile(now, ({ fileId }) => fileId === id, to))
      }
    />
  );
}

async function readPreview(bytesOf: FileStore['bytesOf'], fileId: string, mimeType: string) {
  const bytes = await bytesOf(fileId);
  return bytes && URL.createObjectURL(new Blob([bytes], { type: mimeType }));
}

/** `blob:` URLs of the student's own pictures with bytes on this device, by file id. */
function useOwnPreviews(
  files: readonly AnswerFile[],
  { bytesOf }: FileStore,
): ReadonlyMap<string, string> {
  const [previews, setPreviews] = useState<ReadonlyMap<string, string>>(new Map());
  const pictures = files.filter(({ mimeType }) => isShownPicture(mimeType));
  const key = JSON.stringify(pictures.map(({ fileId, mimeType }) => [fileId, mimeType]));
  useEffect(() => {
    const made = new Map<string, string>();
    let isCurrent = true;
    for (const [fileId, mimeType] of JSON.parse(key) as [string, string][]) {
      void readPreview(bytesOf, fileId, mimeType).then((url) => {
        if (url === null) return;
        if (!isCurrent) {
          URL.revokeObjectURL(url);
          return;
        }
        made.set(fileId, url);
        setPreviews(new Map(made));
      });
    }
    return () => {
      isCurrent = false;
      for (const url of made.values()) URL.revokeObjectURL(url);
    };
  }, [bytesOf, key]);
  return previews;
}
