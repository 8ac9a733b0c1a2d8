import { useEffect, useState, type ReactNode } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import { useDevice } from '#app/offline/device-context.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import { ChoiceList } from '#app/ui/ChoiceList.tsx';
import { FileField } from '#app/ui/FileField.tsx';
import { MatchingField } from '#app/ui/MatchingField.tsx';
import { TextAnswerField } from '#app/ui/TextAnswerField.tsx';
import { formatSize } from '#domain/format.ts';
import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { Answering } from './use-answering.ts';

export interface QuestionAnswerProps {
  question: StudentQuestion;
  shown: QuestionView;
  answering: Answering;
  locked: boolean;
  /** The time of the answer's stage, ready to read. */
  at: string | undefined;
  labelledBy: string;
  renderText: (text: string) => ReactNode;
  onNext: () => void;
}

/** The answer to one question, by its kind. */
export function QuestionAnswer(props: QuestionAnswerProps) {
  const { question, shown, answering, locked, labelledBy, renderText, onNext } = props;
  const { questionId } = question;
  const { answer } = shown;
  switch (question.kind) {
    case 'open':
      return (
        <TextAnswerField
          value={answering.textOf(shown)}
          input={question.input}
          describedBy={labelledBy}
          locked={locked}
          maxLength={ANSWER_TEXT_CHARACTERS}
          onChange={(text) => answering.type(questionId, text)}
          onBlur={() => void answering.commit()}
          onEnter={onNext}
        />
      );
    case 'variant':
      return (
        <ChoiceList
          options={question.options.map(({ optionId, text }) => ({ id: optionId, text }))}
          selected={answer?.kind === 'variant' ? answer.optionIds : []}
          multiple={question.multiple}
          labelledBy={labelledBy}
          locked={locked}
          renderText={renderText}
          onChange={(optionIds) => answering.choose({ questionId, kind: 'variant', optionIds })}
        />
      );
    case 'compliance':
      return (
        <MatchingField
          left={question.left}
          right={question.right}
          pairs={answer?.kind === 'compliance' ? answer.pairs : []}
          labelledBy={labelledBy}
          locked={locked}
          renderText={renderText}
          onChange={(pairs) => answering.choose({ questionId, kind: 'compliance', pairs })}
        />
      );
    case 'file':
      return <FileAnswerField {...props} question={question} />;
  }
}

function FileAnswerField({
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
  const [tooLarge, setTooLarge] = useState(false);
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
      error={
        tooLarge
          ? `Файл больше ${formatSize(question.maxBytes)}. Выберите другой или уменьшите снимок.`
          : undefined
      }
      note={
        isCut
          ? `Отправка прервалась на ${formatSize(upload.received)}. Файл целиком на устройстве и уйдёт сам, когда появится сеть.`
          : stage === 'sending'
            ? 'Можно перейти к другим вопросам: отправка продолжится.'
            : undefined
      }
      onPick={(file) => {
        const isTooLarge = file.size > question.maxBytes;
        setTooLarge(isTooLarge);
        if (!isTooLarge) answering.pickFile(questionId, file);
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

/** A `blob:` address of one's own picture, as long as its bytes are on this device. */
function useOwnPreview(fileId: string | null, mimeType: string): string | undefined {
  const { outbox } = useDevice();
  const [preview, setPreview] = useState<{ fileId: string; url: string } | null>(null);
  const isPicture = mimeType.startsWith('image/');
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
