import { useEffect, useState } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { FileField } from '#app/ui/forms/FileField.tsx';
import type { QuestionAnswerProps } from './answer-props.ts';
import { pickProblem, readPickedFile } from './read-picked-file.ts';

/** The answer field of a file question. */
export function FileAnswer({
  question,
  shown,
  answering,
  locked,
  at,
  labelledBy,
}: QuestionAnswerProps & { question: Extract<StudentQuestion, { kind: 'file' }> }) {
  const { questionId } = question;
  const answer =
    shown.answer?.kind === 'file' && shown.answer.fileId !== null ? shown.answer : null;
  const [refused, setRefused] = useState<string | null>(null);
  const preview = useOwnPreview(answer?.fileId ?? null, answer?.mimeType ?? '');
  const { upload, stage } = shown;
  const isCut = stage === 'device' && upload !== null && upload.received > 0;
  return (
    <FileField
      file={
        answer && {
          name: answer.name,
          size: answer.size,
          mimeType: answer.mimeType,
          previewUrl: preview,
        }
      }
      state={stage}
      at={at}
      progress={upload ? { sentBytes: upload.received, totalBytes: upload.size } : undefined}
      accept={question.accept}
      maxBytes={question.maxBytes}
      labelledBy={labelledBy}
      locked={locked}
      error={refused ?? undefined}
      remark={(answer?.fileId && answering.files.noteOf(answer.fileId)) || undefined}
      note={
        isCut
          ? `Отправка прервалась на ${formatSize(upload.received)}. Файл целиком на устройстве и уйдёт сам, когда появится сеть.`
          : stage === 'sending'
            ? 'Можно перейти к другим вопросам: отправка продолжится.'
            : undefined
      }
      picks={answering.picks
        .filter((pick) => pick.questionId === questionId)
        .map(({ step, ...pick }) => ({ ...pick, isStoring: step === 'storing' }))}
      onCancelPick={(pickId) => answering.files.cancel(pickId)}
      onPick={(file) => {
        const problem = pickProblem(file, question);
        setRefused(problem);
        if (problem !== null) return;
        answering.files.pick({
          questionId,
          name: file.name,
          size: file.size,
          replaces: true,
          read: () => readPickedFile(file, question),
        });
      }}
      onRemove={() =>
        answering.choose({
          questionId,
          kind: 'file',
          fileId: null,
          name: '',
          size: 0,
          mimeType: '',
          sha256: '',
        })
      }
    />
  );
}

/** A `blob:` URL of the student's own picture while its bytes are on this device. */
function useOwnPreview(fileId: string | null, mimeType: string): string | undefined {
  const { outbox } = useDevice();
  const [preview, setPreview] = useState<{ fileId: string; url: string } | null>(null);
  const isPicture = isShownPicture(mimeType);
  useEffect(() => {
    if (fileId === null || !isPicture) return;
    let url: string | null = null;
    let isCurrent = true;
    void outbox.fileBytes(fileId).then((bytes) => {
      if (!bytes || !isCurrent) return;
      url = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
      setPreview({ fileId, url });
    });
    return () => {
      isCurrent = false;
      if (url) URL.revokeObjectURL(url);
    };
  }, [outbox, fileId, isPicture, mimeType]);
  return preview && preview.fileId === fileId ? preview.url : undefined;
}
